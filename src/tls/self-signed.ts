import { generateKeyPairSync, sign } from 'node:crypto';
import { bitString, boolean, context, generalizedTime, integer, objectIdentifier, octetString, sequence, set, utf8String } from './der.ts';

const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';
const COMMON_NAME = '2.5.4.3';
const SUBJECT_ALTERNATIVE_NAME = '2.5.29.17';
const BASIC_CONSTRAINTS = '2.5.29.19';
const YEAR = 365 * 24 * 3_600_000;

export interface SelfSignedRequest {
  /** Common name and only alternative name: a DNS name. */
  readonly name: string;
  readonly now: Date;
  /** 1 to 20 random bytes (RFC 5280, 4.1.2.2). */
  readonly serial: Uint8Array;
}

/** A certificate for one year on a new P-256 key, and the key, in PEM (RFC 5280). */
export function selfSignedCertificate({ name, now, serial }: SelfSignedRequest): string {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(objectIdentifier(ECDSA_WITH_SHA256));
  const subject = sequence(set(sequence(objectIdentifier(COMMON_NAME), utf8String(name))));
  const alternative = sequence(
    objectIdentifier(SUBJECT_ALTERNATIVE_NAME),
    octetString(sequence(context(2, Buffer.from(name, 'ascii'), 'primitive'))),
  );
  const constraints = sequence(objectIdentifier(BASIC_CONSTRAINTS), boolean({ is: true }), octetString(sequence()));
  const body = sequence(
    context(0, integer(Uint8Array.of(2)), 'constructed'),
    integer(serial),
    algorithm,
    subject,
    sequence(generalizedTime(new Date(now.getTime() - 3_600_000)), generalizedTime(new Date(now.getTime() + YEAR))),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    context(3, sequence(constraints, alternative), 'constructed'),
  );
  const certificate = sequence(body, algorithm, bitString(sign('sha256', body, privateKey)));
  return pem('CERTIFICATE', certificate) + String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
}

function pem(label: string, bytes: Uint8Array): string {
  const lines =
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
