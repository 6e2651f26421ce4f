import type { AddressInfo } from 'node:net';

/** Where a server listens. */
export type ListenAddress =
  /** `mode`: permissions of the socket file, as for chmod. HAProxy needs to write to it. */
  | { readonly kind: 'unix'; readonly path: string; readonly mode?: number }
  /** Port 0 takes a free one. */
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number };

/** The address in use: for port 0 the port that was taken. */
export function boundAddress(wanted: ListenAddress, info: AddressInfo | string | null): ListenAddress {
  if (wanted.kind === 'unix' || info === null || typeof info === 'string') return wanted;
  return { kind: 'tcp', host: wanted.host, port: info.port };
}
