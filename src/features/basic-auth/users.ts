import { quote } from '../../diagnostics/diagnostic.ts';
import { shortDigest } from '../../model/identity.ts';
import { Secret } from '../../model/secret.ts';
import type { KubeSecret } from '../../objects/types.ts';
import type { ReadContext } from '../contract/reader.ts';
import { lookSecret } from '../values/secrets.ts';
import { parseHash } from './hash/format.ts';
import type { UserList } from './policy.ts';

/** `auth-file`: htpasswd lines under the key `auth`. `auth-map`: a key for each user. */
export type SecretForm = 'auth-file' | 'auth-map';

export const SECRET_FORMS: readonly SecretForm[] = ['auth-file', 'auth-map'];

/** Names the keys of the reader's table. */
interface Given {
  readonly type: unknown;
  readonly secret: string | undefined;
  readonly form: SecretForm;
}

/**
 * The users that the annotations name. Without them the object is closed, and said why: a route that asks for a
 * password is never served without one.
 */
export function requireUsers({ type, secret, form }: Given, context: ReadContext): UserList | undefined {
  if (type === undefined) {
    const message = '`auth-secret` has no effect without `auth-type`; the routes are open.';
    if (context.given('secret')) context.report('AnnotationIgnored', 'secret', message, 'Set `auth-type: basic`, or remove `auth-secret`.');
    return undefined;
  }
  if (secret === undefined) {
    context.report(
      'InvalidAnnotation',
      'type',
      '`auth-type` needs `auth-secret`, which names the Secret with the users.',
      'Set `auth-secret`.',
    );
    context.close(503);
    return undefined;
  }
  const found = lookSecret(secret, 'auth-secret', context);
  if (typeof found === 'string') {
    context.report('SecretMissing', 'secret', found);
    context.close(503);
    return undefined;
  }
  return readUsers(found, form, context);
}

interface Entry {
  /** Where it stands, for a sentence: a password file has no better name for a line. */
  readonly place: string;
  readonly user: string;
  readonly hash: string;
}

function readUsers(secret: KubeSecret, form: SecretForm, context: ReadContext): UserList | undefined {
  const { namespace, name } = secret.metadata;
  const label = `The Secret ${quote(`${namespace}/${name}`)}`;
  const entries = form === 'auth-file' ? fileEntries(secret) : mapEntries(secret);
  if (entries === undefined) {
    context.report(
      'InvalidSecret',
      'secret',
      `${label} has no key \`auth\` with an htpasswd file.`,
      'Store the file under `auth`, or set `auth-secret-type: auth-map`.',
    );
    context.close(503);
    return undefined;
  }
  const hashes = new Map<string, Secret>();
  for (const { place, user, hash } of entries) {
    // As nginx does it: the first of two lines counts.
    if (hashes.has(user)) continue;
    const parsed = parseHash(hash);
    if (parsed.kind === 'refused')
      context.report(
        'InvalidSecret',
        'secret',
        `${label}: the user in ${place} ${parsed.reason}; this user can't log in.`,
        'Use bcrypt: `htpasswd -B`.',
      );
    else hashes.set(user, new Secret(hash));
  }
  if (hashes.size > 0) return { id: shortDigest(namespace, name, form), hashes };
  context.report('InvalidSecret', 'secret', `${label} holds no user who could log in.`);
  context.close(503);
  return undefined;
}

function fileEntries(secret: KubeSecret): readonly Entry[] | undefined {
  const bytes = secret.data.get('auth');
  if (bytes === undefined) return undefined;
  return byteString(bytes)
    .split(/\r?\n/)
    .flatMap((line, index) => {
      const [user = '', hash] = line.split(':', 2);
      // Lines without a colon and comments are passed over, as nginx does it.
      return user === '' || hash === undefined || line.startsWith('#') ? [] : [{ place: `line ${index + 1}`, user, hash: hash.trimEnd() }];
    });
}

function mapEntries(secret: KubeSecret): readonly Entry[] {
  return [...secret.data].map(([user, bytes]) => ({ place: `key ${quote(user)}`, user, hash: byteString(bytes).trim() }));
}

function byteString(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}
