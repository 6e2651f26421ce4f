import type { KeySpec } from '../../features/contract/key.ts';

/** Values of the kinds there are, plainest first. */
const CANDIDATES = ['true', '10', '30s', '10s', '8m', '10.0.0.0/8', 'X-Example', 'example', 'GET, POST', 'https://example.com/', '/example', 'web', 'default/example', 'round_robin'];

/**
 * A value that the key's own parser takes. Words of the value's description are tried first: they name
 * the choices. Never one that is taken only with a note.
 */
export function exampleValue(spec: KeySpec<unknown>): string {
  const words = spec.value.match(/[A-Za-z0-9_.:/-]+/g) ?? [];
  const choices = /^`?["']?(true|false)/.test(spec.value) ? ['true'] : words.filter((word) => !PROSE.has(word.toLowerCase()) && spec.value.includes('|'));
  const number = /[0-9]/.test(spec.value) || /integer|number|seconds|percent/i.test(spec.value) ? ['10', '1'] : [];
  const candidates = [...choices, ...number, ...CANDIDATES];
  return candidates.find((text) => isTaken(spec, text)) ?? spec.value;
}

const PROSE = new Set(['a', 'an', 'or', 'and', 'of', 'the', 'name', 'to', 'with', 'in', 'string', 'integer']);

function isTaken(spec: KeySpec<unknown>, text: string): boolean {
  try {
    const outcome = spec.parse(text);
    return outcome.ok && outcome.note === undefined;
  } catch {
    return false;
  }
}
