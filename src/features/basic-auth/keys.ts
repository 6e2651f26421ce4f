import { key, type Parsed, parsed, problem } from '../contract/key.ts';
import { choice } from '../values/basic.ts';
import { objectReference } from '../values/secrets.ts';
import { SECRET_FORMS } from './users.ts';

const common = { onInvalid: 'close', scope: 'ingress' } as const;

export const type = key({
  ...common,
  name: 'auth-type',
  parse: authType,
  value: 'basic',
  default: 'none',
  summary: 'Asks for a user name and password (HTTP Basic authentication) before anything of the routes is shown.',
  difference: '`digest` is refused: it rests on MD5, and its Secrets hold what is as good as the password. The routes are closed.',
});

export const secret = key({
  ...common,
  name: 'auth-secret',
  parse: objectReference,
  value: 'name or namespace/name of a Secret',
  default: 'none; required with auth-type',
  summary: 'The Secret that holds users and password hashes; a change of it counts at once.',
  difference:
    'Hashes: bcrypt, apr1, MD5-crypt, SHA-256-crypt, SHA-512-crypt, {SHA}, {SSHA}, {PLAIN}. DES and yescrypt are not checked; such users are reported and can not log in.',
});

export const form = key({
  ...common,
  name: 'auth-secret-type',
  parse: choice(SECRET_FORMS),
  value: 'auth-file or auth-map',
  default: 'auth-file',
  summary: '`auth-file`: an htpasswd file under the key `auth`. `auth-map`: a key for each user with the hash as its value.',
});

export const realm = key({
  ...common,
  name: 'auth-realm',
  parse: realmText,
  value: 'text of at most 256 characters',
  default: 'empty',
  summary: 'What the browser shows when it asks for the password.',
});

function authType(text: string): Parsed<'basic'> {
  if (text.trim().toLowerCase() === 'digest')
    return problem('asks for Digest authentication, which Ramjet does not offer', 'Use `basic` over TLS.');
  return choice(['basic'], { ignoreCase: true })(text);
}

function realmText(text: string): Parsed<string> {
  const value = text.trim();
  if (value.length > 256) return problem('is longer than 256 characters');
  // oxlint-disable-next-line no-control-regex
  return /[\u0000-\u001f\u007f]/.test(value) ? problem('holds a control character') : parsed(value);
}
