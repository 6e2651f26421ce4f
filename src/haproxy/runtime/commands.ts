import { type BackendOperations, backendOperations } from './backend-operations.ts';
import { type CertificateOperations, certificateOperations } from './certificate-operations.ts';
import type { RuntimeClient } from './client.ts';
import { type MapOperations, mapOperations } from './map-operations.ts';
import { type ReadOperations, readOperations } from './read-operations.ts';
import { type ServerOperations, serverOperations } from './server-operations.ts';

export type RuntimeCommands = MapOperations & ServerOperations & BackendOperations & CertificateOperations & ReadOperations;

/**
 * Everything Ramjet asks of a running HAProxy, one operation at a time. For many changes at once,
 * hand the builders of `*-commands.ts` to `client.run`: neighbours travel in one connection.
 */
export function createRuntimeCommands(client: RuntimeClient): RuntimeCommands {
  return {
    ...mapOperations(client),
    ...serverOperations(client),
    ...backendOperations(client),
    ...certificateOperations(client),
    ...readOperations(client),
  };
}
