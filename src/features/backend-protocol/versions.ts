import type { TlsVersion } from './policy.ts';

export interface Versions {
  readonly min: TlsVersion;
  readonly max: TlsVersion;
}

/** The versions that are spoken, by the names that annotations use. */
export const TLS_NAMES: ReadonlyMap<string, TlsVersion> = new Map([
  ['TLSv1.2', '1.2'],
  ['TLSv1.3', '1.3'],
]);
