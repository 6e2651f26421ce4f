import type { Canary, CanaryCondition, CanaryRule } from '../../model/model.ts';
import { encodeField } from '../../haproxy/tokens.ts';

/** A route's canaries in the form the rules read. Every field may be empty. */
export interface CanaryRow {
  /** `l`: ask `list`. `r`: search `rules`. */
  readonly kinds: string;
  /** `threshold=backend=threshold=backend…`, rising; a draw below a threshold takes its backend. */
  readonly weights: string;
  /** Lines `h`, `c` or `s`, name, value and decision, see SEARCH in haproxy.ts. */
  readonly rules: string;
  /** All rules, when one of them is beyond plain comparison of headers and cookies; then `rules` holds sessions only. */
  readonly list: string;
}

/** A draw is below this; totals up to it are exact. */
export const DRAW = 1_000_000_000;

/** Decision "production". */
const PRODUCTION = '-';

interface Ranked {
  readonly rule: CanaryRule;
  readonly backend: string;
}

export function canaryRow(canaries: readonly Canary[]): CanaryRow {
  const rules = ranked(canaries);
  const plain = rules.every(({ rule }) => isPlain(rule));
  const lines = [...(plain ? rules.flatMap(comparisons) : []), ...sessionLines(canaries)];
  const list = plain ? '' : rules.map(({ rule, backend }) => listItem(rule, backend)).join(';');
  const kinds = [list && 'l', lines.length > 0 && 'r'].filter(Boolean).join('');
  return { kinds, weights: weights(canaries), rules: lines.length === 0 ? '' : `\n${lines.join('\n')}\n\u0001\n`, list };
}

/** Rules of all canaries: joined conditions, then headers and query, then cookies; each by age of the canary. */
function ranked(canaries: readonly Canary[]): readonly Ranked[] {
  const rank = ({ on }: CanaryRule) => (on === 'all' ? 0 : on === 'cookie' ? 2 : 1);
  const all = canaries.flatMap((canary) => canary.rules.map((rule) => ({ rule, backend: canary.backend })));
  return all.sort((a, b) => rank(a.rule) - rank(b.rule));
}

function isPlain(rule: CanaryRule): boolean {
  if (rule.on === 'all' || rule.on === 'query') return false;
  return rule.match.type !== 'pattern';
}

function comparisons({ rule, backend }: Ranked): readonly string[] {
  if (rule.on === 'all') return [];
  const line = (value: string, decision: string) => [rule.on === 'header' ? 'h' : 'c', rule.name, value, decision].join('\r');
  switch (rule.match.type) {
    case 'always-never':
      return [line('always', backend), line('never', PRODUCTION)];
    case 'value':
      return [line(rule.match.value, backend)];
    case 'pattern':
      return [];
  }
}

/** A session stays on the canary while weight brings sessions there, and on production until the canaries take everything. */
function sessionLines(canaries: readonly Canary[]): readonly string[] {
  const live = canaries.filter(({ weight }) => weight > 0);
  const whole = live.reduce((sum, { weight, total }) => sum + weight / total, 0) > 1 - 1e-12;
  const line = (...parts: readonly string[]) => ['s', ...parts].join('\r');
  const lines = live.flatMap(({ backend, session }) => (session === undefined ? [] : [line(session.cookie, session.canary, backend)]));
  const first = live.find(({ session }) => session !== undefined)?.session;
  return first === undefined || whole ? lines : [...lines, line(first.cookie, first.production, PRODUCTION)];
}

function weights(canaries: readonly Canary[]): string {
  let share = 0;
  const parts: string[] = [];
  for (const { backend, weight, total } of canaries) {
    if (weight === 0) continue;
    share += weight / total;
    parts.push(`${Math.min(DRAW, Math.round(share * DRAW))}=${backend}`);
  }
  return parts.join('=');
}

/** How many canaries of the route take a share. */
export function weightCount(canaries: readonly Canary[]): number {
  return canaries.filter(({ weight }) => weight > 0).length;
}

/** `backend|condition&condition`, read by canary.lua. */
function listItem(rule: CanaryRule, backend: string): string {
  const conditions = rule.on === 'all' ? rule.rules : [rule];
  return `${backend}|${conditions.map(conditionText).join('&')}`;
}

function conditionText({ on, name, match }: CanaryCondition): string {
  const text = {
    'always-never': () => '',
    value: () => (match.type === 'value' ? match.value : ''),
    pattern: () => (match.type === 'pattern' ? match.pattern : ''),
  }[match.type]();
  const kind = { 'always-never': 'a', value: 'v', pattern: 'p' }[match.type];
  return [{ header: 'h', cookie: 'c', query: 'q' }[on], encodeField(name), kind, encodeField(text)].join('!');
}
