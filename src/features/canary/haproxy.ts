import type { RoutePart, Rule, RuleContext } from '../../haproxy/feature.ts';
import { field, hasField, plainField, row, rowTable } from '../../haproxy/rows.ts';
import { hap, type Token } from '../../haproxy/tokens.ts';
import { canaryRow, DRAW, weightCount } from './haproxy-rows.ts';

const table = rowTable('canary', 'str', ['kinds', 'weights', 'rules', 'list']);

/** A line of the route's table: name, value, decision. Then the rest of the table, to the first header of the request. */
const LINE = hap`([^\x01\r\n]++)\r([^\x01\r\n]*+)\r([^\x01\r\n]++)\n[^\x01]*+\x01\n`;

/** The only header of that name has exactly this value: two of them are one joined value to nginx and Envoy, so neither equals it. */
const HEADER = hap`(?:(?!\1: )[^\n]*+\n)*+\1: \2(?=\r\n)(?!(?s:.*)\n\1: )`;

/** The first cookie of that name, in any case as in nginx. White space around name and value does not count. */
const COOKIE = hap`(?:[^\n]*+\n)*?cookie:[ \t;]*+(?:(?!(?i:\1)[ \t]*=)[^;\r\n]*+;[ \t]*+)*+(?i:\1)[ \t]*+=[ \t]*+\2`;

/**
 * Names and values are data, so one static regex must serve all routes. It runs over the route's table
 * followed by the request's headers: line by line it takes a name and a value from the table and looks for
 * them, by back-reference, in the headers. `h`: a header; `c`: a cookie; `s`: a cookie that begins so. The
 * result is the decision of the first line that is found; without one the last branch takes all of the text
 * and leaves it empty. A search costs what the rules of this route cost, not what there are in all.
 */
const SEARCH = hap`^\n(?:[^\x01\n]++\n)*?(?|h\r${LINE}${HEADER}|c\r${LINE}${COOKIE}[ \t]*[;\r]|s\r${LINE}${COOKIE})(?s:.*)$|^(?s:.*)$`;

/** Decisions found by weight need a rule each; a route with more canaries than any before costs one reload. */
const WEIGHTS_ALWAYS_LOADED = 2;

const canary: RoutePart<'canary'> = {
  level: 'route',
  feature: 'canary',
  tables: [table],
  lua: [new URL('./canary.lua', import.meta.url)],
  policyOf: (route) => (route.canaries.length > 0 ? route.canaries : undefined),
  rows: (policy, route) => [row(table, route.id, { ...canaryRow(policy) })],
  variants: (policy) => (weightCount(policy) > WEIGHTS_ALWAYS_LOADED ? [String(weightCount(policy)).padStart(6, '0')] : []),
  rules: (context) => [...ruleDecisions(context), ...weightDecisions(context), ...outcome()],
};

/** A route without canaries has no row, so every condition on a field of it is false: flags are asked once. */
function ruleDecisions({ inUse, lookup }: RuleContext): readonly Rule[] {
  const kind = (letter: Token) => hap`{ ${plainField(table, 'kinds')} -m sub ${letter} }`;
  return phase([
    hap`http-request set-var(txn.canary) ${lookup(table)} if ${inUse}`,
    hap`http-request set-var(txn.canary_hdrs) req.hdrs if ${hasField(table, 'kinds')}`,
    hap`http-request set-var(txn.canary_be) lua.ramjet_canary if ${kind(hap`l`)}`,
    hap`http-request set-var(txn.canary_be) '${field(table, 'rules')},concat(,txn.canary_hdrs),regsub("${SEARCH}","\3")' if ${kind(hap`r`)} ${UNDECIDED}`,
  ]);
}

const UNDECIDED = hap`!{ var(txn.canary_be) -m len gt 0 }`;

function weightDecisions({ variants }: RuleContext): readonly Rule[] {
  const count = Math.max(WEIGHTS_ALWAYS_LOADED, ...variants.map(Number));
  const part = (index: number) => hap`${plainField(table, 'weights')},field(${index},=)`;
  const draw = hap`http-request set-var(txn.canary_draw) rand(${DRAW}) if ${hasField(table, 'weights')} ${UNDECIDED}`;
  const steps = Array.from({ length: count }, (_, index) => {
    // Without a draw, or without that many weights, the subtraction fails and with it the condition.
    const below = hap`{ ${part(2 * index + 1)},sub(txn.canary_draw) gt 0 }`;
    return hap`http-request set-var(txn.canary_be) ${part(2 * index + 2)} if ${below} ${UNDECIDED}`;
  });
  return phase([draw, ...steps]);
}

/** `-` stands for production. */
function outcome(): readonly Rule[] {
  return phase([
    hap`http-request set-var(txn.be) var(txn.canary_be) if { var(txn.canary_be) -m len gt 0 } !{ var(txn.canary_be) -m str -- - }`,
  ]);
}

function phase(lines: readonly Token[]): readonly Rule[] {
  return lines.map((line) => ({ phase: 'canary', line }));
}

export const parts = [canary] as const;
