import type { RoutePart, Rule, RuleContext } from '../../haproxy/feature.ts';
import { field, hasField, plainField, row, rowTable } from '../../haproxy/rows.ts';
import { hap, type Token } from '../../haproxy/tokens.ts';
import { canaryRow, DRAW, weightCount } from './haproxy-rows.ts';

const table = rowTable('canary', 'str', ['kinds', 'weights', 'headers', 'cookies', 'list', 'sessions']);

/**
 * Names and values are data, so one static regex must serve all routes. It runs over the route's table
 * followed by the request's header block: it takes a line `name CR value CR decision` of the table and
 * looks by back-reference for that name and value in the headers, line after line until one is found. The
 * result is the decision, or empty. Searching costs what this route's rules cost, not what exists in all.
 */
const LINE = hap`^\n(?:[^\x01\n]++\n)*?([^\x01\r\n]++)\r([^\x01\r\n]*+)\r([^\x01\r\n]++)\n[^\x01]*+\x01\n`;

/** The only header of that name has exactly this value: two of them are one joined value to nginx and Envoy, so neither equals it. */
const HEADER = hap`(?:(?!\1: )[^\n]*+\n)*+\1: \2(?=\r\n)(?!(?s:.*)\n\1: )`;

/** The first cookie of that name, in any case as in nginx. White space around name and value does not count. */
const COOKIE_NAME = hap`(?:[^\n]*+\n)*?cookie:[ \t;]*+(?:(?!(?i:\1)[ \t]*=)[^;\r\n]*+;[ \t]*+)*+(?i:\1)[ \t]*+=[ \t]*+`;

/** Decisions found by weight need a rule each; a route with more canaries than any before costs one reload. */
const WEIGHTS_ALWAYS_LOADED = 2;

export const canary: RoutePart<'canary'> = {
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
  const decide = (source: Token, condition: Token) => hap`http-request set-var(txn.canary_be) ${source} if ${condition}`;
  return phase([
    hap`http-request set-var(txn.canary) ${lookup(table)} if ${inUse}`,
    hap`http-request set-var(txn.canary_hdrs) req.hdrs if ${hasField(table, 'kinds')}`,
    decide(search(field(table, 'headers'), HEADER), kind(hap`h`)),
    decide(search(field(table, 'cookies'), hap`${COOKIE_NAME}\2[ \t]*[;\r]`), hap`${kind(hap`c`)} ${UNDECIDED}`),
    hap`http-request set-var(txn.canary_list) ${field(table, 'list')} if ${kind(hap`l`)}`,
    decide(hap`lua.ramjet_canary`, kind(hap`l`)),
    decide(search(field(table, 'sessions'), hap`${COOKIE_NAME}\2`), hap`${kind(hap`s`)} ${UNDECIDED}`),
  ]);
}

const UNDECIDED = hap`!{ var(txn.canary_be) -m len gt 0 }`;

/** Without a match the second branch takes the whole text and leaves the decision empty. */
function search(rows: Token, pattern: Token): Token {
  return hap`'${rows},concat(,txn.canary_hdrs),regsub("${LINE}${pattern}(?s:.*)$|^(?s:.*)$","\3")'`;
}

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
