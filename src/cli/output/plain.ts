import { Secret } from '../../model/secret.ts';

/** A value as JSON and YAML can print it: maps as mappings, bytes by number; secrets stay hidden. */
export function plain(value: unknown): unknown {
  if (value instanceof Secret) return value.toString();
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, item]) => [String(key), plain(item)]));
  if (value instanceof Set) return [...value].map(plain);
  if (value instanceof Uint8Array) return `[${value.length} bytes]`;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === 'bigint') return value.toString();
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).flatMap(([key, item]) => (item === undefined ? [] : [[key, plain(item)]])));
}
