import type { KeySpec } from '../../features/contract/key.ts';

/** Values by what the key's description speaks of; the first that its own parser takes is the example. */
const KINDS: readonly (readonly [description: RegExp, ...values: string[]])[] = [
  [/true or false/i, 'true'],
  [/cidr|addresses/i, '10.0.0.0/8, 192.168.0.0/16', '10.0.0.0/8'],
  [/secret|configmap/i, 'example', 'default/example'],
  [/host:port/i, '10.0.0.1:8080'],
  [/origins/i, 'https://example.com'],
  [/methods/i, 'GET, POST'],
  [/`?name value`?/i, 'X-Example value', 'X-Example: value'],
  [/header/i, 'X-Example'],
  [/cookie name/i, 'example'],
  [/parameter name/i, 'version'],
  [/regular expression/i, '^v2'],
  [/two host names|two words|two paths/i, 'old.example new.example', '/old /new'],
  [/cipher/i, 'ECDHE-RSA-AES128-GCM-SHA256'],
  [/suites/i, 'TLS_AES_128_GCM_SHA256'],
  [/variables/i, '$request_uri'],
  [/url/i, 'https://example.com/', '/example'],
  [/path/i, '/example'],
  [/host|dns|domain/i, 'example.com'],
  [/status|code/i, '429', '302'],
  [/port/i, '8443'],
  [/address/i, '10.0.0.1'],
  [/bytes|\bk, m/i, '8m', '8k', '8192'],
  [/number|integer|seconds|requests|percent|weight|[0-9] to [0-9]/i, '10', '1'],
  [/time|duration/i, '30s', '10s', '5s'],
  [/text|name|string/i, 'example'],
];

const LAST_RESORT = ['10', '30s', 'true', 'example'];

/** No key that chooses among words takes this. */
const NONSENSE = 'zz-no-such-word';

/** A value that the key's own parser takes as it is; `undefined`: none was found. */
export function exampleValue(spec: KeySpec<unknown>): string | undefined {
  const taken = (text: string) => isTaken(spec, text);
  const words = spec.value.match(/[A-Za-z0-9_.-]+/g) ?? [];
  // Only a choice among words takes one of them and refuses a strange one.
  const codes = /^[1-5][0-9]{2}, /.test(spec.value);
  const choices = taken(NONSENSE) ? [] : words.filter((word) => codes || /[A-Za-z]/.test(word));
  const kinds = KINDS.flatMap(([description, ...values]) => (description.test(spec.value) ? values : []));
  return [...choices, ...kinds, ...LAST_RESORT].find(taken);
}

function isTaken(spec: KeySpec<unknown>, text: string): boolean {
  try {
    const outcome = spec.parse(text);
    return outcome.ok && outcome.note === undefined;
  } catch {
    return false;
  }
}
