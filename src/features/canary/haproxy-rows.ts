import type { Canary, CanaryCondition, CanaryRule } from '../../model/model.ts';
import { encodeField } from '../../haproxy/tokens.ts';

/** A route's canaries in the form the rules read. Every field may be empty. */
export interface CanaryRow {
  /** Which of the others are in use: `h`, `c`, `l`, `s`. */
  readonly kinds: string;
  readonly headers: string;
  readonly cookies: string;
  /** All rules, when one of them is beyond plain comparison of headers and cookies. */
  readonly list: string;
  readonly sessions: string;
  /** `threshold=backend=threshold=backend…`, rising; a draw below a threshold takes its backend. */
  readonly weights: string;
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
  const headers = plain ? comparisons(rules, 'header') : '';
  const cookies = plain ? comparisons(rules, 'cookie') : '';
  const list = plain ? '' : rules.map(({ rule, backend }) => listItem(rule, backend)).join(';');
  const sessions = sessionLines(canaries);
  const kinds = [headers && 'h', cookies && 'c', list && 'l', sessions && 's'].join('');
  return { kinds, headers, cookies, list, sessions, weights: weights(canaries) };
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

/** `name CR value CR decision` lines, between line feeds, closed by `\x01`: what HEADER and COOKIE in haproxy.ts search. */
function comparisons(rules: readonly Ranked[], on: 'header' | 'cookie'): string {
  const lines = rules.flatMap(({ rule, backend }) => {
    if (rule.on !== on) return [];
    switch (rule.match.type) {
      case 'always-never':
        return [`${rule.name}\ralways\r${backend}`, `${rule.name}\rnever\r${PRODUCTION}`];
      case 'value':
        return [`${rule.name}\r${rule.match.value}\r${backend}`];
      case 'pattern':
        return [];
    }
  });
  return table(lines);
}

/** A session stays on the canary while weight brings sessions there, and on production until the canaries take everything. */
function sessionLines(canaries: readonly Canary[]): string {
  const live = canaries.filter(({ weight }) => weight > 0);
  const whole = live.reduce((sum, { weight, total }) => sum + weight / total, 0) > 1 - 1e-12;
  const lines = live.flatMap(({ backend, session }) => (session === undefined ? [] : [`${session.cookie}\r${session.canary}\r${backend}`]));
  const [first] = live.flatMap(({ session }) => (session === undefined ? [] : [session]));
  if (first !== undefined && !whole) lines.push(`${first.cookie}\r${first.production}\r${PRODUCTION}`);
  return table(lines);
}

function table(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `\n${lines.join('\n')}\n\u0001\n`;
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
