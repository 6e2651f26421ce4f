import * as certificates from './certificate-commands.ts';
import type { CrtListLine, Store } from './certificate-commands.ts';
import type { RuntimeClient, Run } from './client.ts';
import type { Command } from './codec.ts';
import { guard } from './guard.ts';
import { splitPem } from './pem.ts';
import { failure, firstFailure, type Reply, type Result, success } from './result.ts';
import { all, one } from './single.ts';

export interface CertificateOperations {
  /** Certificate, chain and key in one text. Live in every crt-list line that names `path`. */
  upsertCertificate(path: string, pem: string): Promise<Result<void>>;
  deleteCertificate(path: string): Promise<Result<void>>;
  upsertCaFile(path: string, pem: string): Promise<Result<void>>;
  deleteCaFile(path: string): Promise<Result<void>>;
  addCrtListLine(list: string, line: CrtListLine): Promise<Result<void>>;
  /** Every line of this certificate with these names. None is fine. Answers how many went. */
  removeCrtListLine(list: string, line: Pick<CrtListLine, 'certificate' | 'names'>): Promise<Result<number>>;
  showCrtList(list: string): Promise<Result<readonly certificates.NumberedCrtListLine[]>>;
  showStore(store: Store): Promise<Result<readonly string[]>>;
}

export function certificateOperations(client: RuntimeClient): CertificateOperations {
  return {
    upsertCertificate: (path, pem) =>
      guard('set ssl cert', () => upsert(client, 'cert', path, [certificates.setEntryCommand('cert', path, pem)])),
    deleteCertificate: (path) => guard('del ssl cert', () => all(client, [certificates.deleteEntryCommand('cert', path)])),
    upsertCaFile: (path, pem) => guard('set ssl ca-file', () => upsert(client, 'ca-file', path, caCommands(client, path, pem))),
    deleteCaFile: (path) => guard('del ssl ca-file', () => all(client, [certificates.deleteEntryCommand('ca-file', path)])),
    addCrtListLine: (list, line) => guard('add ssl crt-list', () => all(client, [certificates.addCrtListLineCommand(list, line)])),
    removeCrtListLine: (list, line) => guard('del ssl crt-list', () => removeLines(client, list, line)),
    showCrtList: (list) =>
      guard('show ssl crt-list', async () => {
        const reply = await one(client, certificates.showCrtListCommand(list));
        return reply.ok ? success(certificates.parseCrtList(reply.value)) : reply;
      }),
    showStore: (store) =>
      guard('show ssl', async () => {
        const reply = await one(client, certificates.showStoreCommand(store));
        return reply.ok ? success(reply.value.split('\n').filter((line) => !line.startsWith('#'))) : reply;
      }),
  };
}

function caCommands(client: RuntimeClient, path: string, pem: string): readonly Command[] {
  // Room for the words of the command, its path and the terminator.
  const chunks = splitPem(pem, client.commandLimit - Buffer.byteLength(path) - 64);
  return chunks.map((chunk, index) =>
    index === 0 ? certificates.setEntryCommand('ca-file', path, chunk) : certificates.appendCaCommand(path, chunk),
  );
}

/** The whole transaction holds the queue: two at once mix their contents (measured: empty stores). */
async function upsert(client: RuntimeClient, store: Store, path: string, fill: readonly Command[]): Promise<Result<void>> {
  const create = certificates.newEntryCommand(store, path);
  if (fill.some((command) => command.size() > client.commandLimit))
    return failure('argument', create.line, 'longer than one command may be');
  return client.exclusive(async (run) => {
    const created = first(await run([create]), create);
    if (!created.ok) return created;
    const filled = await fillStore(run, store, fill);
    const commit = certificates.commitEntryCommand(store, path);
    const outcome = filled ?? first(await run([commit]), commit);
    if (outcome.ok) return success(undefined);
    const undo = [certificates.abortEntryCommand(store, path)];
    if (!created.value.endsWith('already exists!')) undo.push(certificates.deleteEntryCommand(store, path));
    await run(undo);
    return outcome;
  });
}

/** A transaction that a predecessor left open, killed half-way, is ended once. */
async function fillStore(run: Run, store: Store, fill: readonly Command[]): Promise<ReturnType<typeof failure> | undefined> {
  for (const command of fill) {
    let reply = first(await run([command]), command);
    const stale = reply.ok ? undefined : certificates.openTransaction(reply.error.answer);
    if (stale !== undefined) {
      await run([certificates.abortEntryCommand(store, stale)]);
      reply = first(await run([command]), command);
    }
    if (!reply.ok) return reply;
  }
  return undefined;
}

async function removeLines(client: RuntimeClient, list: string, line: Pick<CrtListLine, 'certificate' | 'names'>): Promise<Result<number>> {
  const show = certificates.showCrtListCommand(list);
  const wanted = line.names.toSorted().join(' ');
  return client.exclusive(async (run) => {
    const shown = first(await run([show]), show);
    if (!shown.ok) return shown;
    const found = certificates
      .parseCrtList(shown.value)
      .filter((entry) => entry.certificate === line.certificate && entry.names.toSorted().join(' ') === wanted);
    const commands = found.map((entry) => certificates.deleteCrtListLineCommand(list, entry.certificate, entry.number));
    return firstFailure(await run(commands)) ?? success(found.length);
  });
}

function first(replies: readonly Reply[], command: Command): Reply {
  return replies[0] ?? failure('protocol', command.line, '');
}
