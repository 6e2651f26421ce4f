import type { ReadContext } from '../contract/reader.ts';
import { lookSecret } from '../values/secrets.ts';
import type { BackendTls, ClientCertificate } from './policy.ts';
import { labelOf, readCa, readClientCertificate } from './secrets.ts';
import type { Versions } from './versions.ts';

/** Values of the `proxy-ssl-*` keys, by their names in the reader's table. */
export interface ProxySslValues {
  readonly secret?: string;
  readonly name?: string;
  readonly verify?: boolean;
  readonly serverName?: boolean;
  readonly protocols?: Versions;
  readonly ciphers?: string;
}

const KEYS = {
  secret: 'proxy-ssl-secret',
  name: 'proxy-ssl-name',
  verify: 'proxy-ssl-verify',
  serverName: 'proxy-ssl-server-name',
  protocols: 'proxy-ssl-protocols',
  ciphers: 'proxy-ssl-ciphers',
};

export function reportWithoutTls(context: ReadContext): void {
  for (const [key, name] of Object.entries(KEYS)) {
    if (!context.given(key)) continue;
    context.report(
      'AnnotationIgnored',
      key,
      `\`${name}\` has no effect, since the endpoints are not spoken to over TLS.`,
      'Set `backend-protocol: HTTPS` or `GRPCS`.',
    );
  }
}

/** The TLS of the nginx family; undefined where the object was closed. */
export function proxySsl(values: ProxySslValues, context: ReadContext): BackendTls | undefined {
  const secret = readSecret(values, context);
  if (secret === undefined) return undefined;
  const { name, verify, serverName, protocols, ciphers } = values;
  if (verify === true && !canVerify(values, secret, context)) return undefined;
  if (serverName === true && name === undefined) {
    context.report(
      'AnnotationIgnored',
      'serverName',
      '`proxy-ssl-server-name` has no effect without `proxy-ssl-name`; no SNI is sent.',
      'Set `proxy-ssl-name`.',
    );
  }
  if (name !== undefined && serverName !== true && verify !== true) {
    context.report(
      'AnnotationIgnored',
      'name',
      '`proxy-ssl-name` has no effect, since it is neither sent nor checked.',
      'Set `proxy-ssl-server-name` or `proxy-ssl-verify` to "on".',
    );
  }
  return {
    sni: serverName === true && name !== undefined ? { type: 'name', name } : { type: 'none' },
    ...(verify === true && secret.ca !== undefined && name !== undefined ? { verify: { ca: secret.ca, name } } : {}),
    ...(secret.certificate === undefined ? {} : { certificate: secret.certificate }),
    ...(ciphers === undefined ? {} : { ciphers }),
    ...(protocols === undefined ? {} : { versions: protocols }),
  };
}

interface Content {
  readonly ca?: string;
  readonly certificate?: ClientCertificate;
  readonly revocations: boolean;
}

/** What the Secret holds; nothing and closed where it can't be used. */
function readSecret({ secret: reference }: ProxySslValues, context: ReadContext): Content | undefined {
  if (reference === undefined) return { revocations: false };
  const secret = lookSecret(reference, KEYS.secret, context);
  if (typeof secret === 'string') {
    context.report('SecretMissing', 'secret', secret);
    context.close(503);
    return undefined;
  }
  const ca = readCa(secret);
  const certificate = readClientCertificate(secret);
  const nothing =
    ca === undefined && certificate === undefined
      ? `${labelOf(secret)} holds neither \`tls.crt\` with \`tls.key\` nor \`ca.crt\`.`
      : undefined;
  for (const wrong of [ca, certificate, nothing]) {
    if (typeof wrong !== 'string') continue;
    context.report('InvalidSecret', 'secret', `\`${KEYS.secret}\`: ${wrong}`);
    context.close(503);
    return undefined;
  }
  return {
    ...(typeof ca === 'object' ? ca : {}),
    ...(typeof certificate === 'object' ? { certificate } : {}),
    revocations: secret.data.has('ca.crl'),
  };
}

function canVerify(values: ProxySslValues, secret: Content, context: ReadContext): boolean {
  const refuse = (code: 'InvalidAnnotation' | 'InvalidSecret', key: string, message: string, hint: string) => {
    context.report(code, key, message, hint);
    context.close(503);
    return false;
  };
  if (values.secret === undefined)
    return refuse(
      'InvalidAnnotation',
      'verify',
      '`proxy-ssl-verify` needs a CA, and there is no `proxy-ssl-secret`.',
      'Name a Secret with `ca.crt`.',
    );
  if (secret.ca === undefined)
    return refuse(
      'InvalidSecret',
      'secret',
      '`proxy-ssl-verify` needs a CA, and the Secret of `proxy-ssl-secret` has no `ca.crt`.',
      'Add `ca.crt` to the Secret.',
    );
  if (secret.revocations)
    return refuse(
      'InvalidSecret',
      'secret',
      'The Secret of `proxy-ssl-secret` holds revocation lists (`ca.crl`), which Ramjet does not check.',
      'Remove `ca.crl` from the Secret.',
    );
  if (values.name === undefined)
    return refuse(
      'InvalidAnnotation',
      'verify',
      '`proxy-ssl-verify` needs `proxy-ssl-name`, the name that the certificates must be for.',
      'Set `proxy-ssl-name`.',
    );
  return true;
}
