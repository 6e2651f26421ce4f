import { quote } from '../../diagnostics/diagnostic.ts';
import type { KubeSecret } from '../../objects/types.ts';
import { type Parsed, parsed, problem } from '../contract/key.ts';
import type { ReadContext } from '../contract/reader.ts';

const NAME = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;

/** `name` or `namespace/name` of an object. */
export function objectReference(text: string): Parsed<string> {
  const parts = text.trim().split('/');
  if (parts.length > 2 || !parts.every((part) => NAME.test(part))) return problem('is not `name` or `namespace/name` of an object');
  return parsed(text.trim());
}

/** The Secret, or one sentence (with the key's name in front) on why there is none. */
export function lookSecret(reference: string, keyName: string, context: ReadContext): KubeSecret | string {
  const [namespace] = reference.includes('/') ? reference.split('/') : [context.namespace];
  if (namespace !== context.namespace && !context.settings.allowCrossNamespace) {
    return `\`${keyName}\` names the Secret ${quote(reference)} in another namespace, which the settings do not allow.`;
  }
  return context.secret(reference) ?? `\`${keyName}\` names the Secret ${quote(reference)}, which does not exist.`;
}

/** Bytes of one key as text in UTF-8; `undefined` if absent or empty. */
export function secretText(secret: KubeSecret, key: string): string | undefined {
  const bytes = secret.data.get(key);
  return bytes === undefined || bytes.length === 0 ? undefined : Buffer.from(bytes).toString('utf8');
}
