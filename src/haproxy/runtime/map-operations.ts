import type { RuntimeClient } from './client.ts';
import type { Command } from './codec.ts';
import { guard } from './guard.ts';
import * as maps from './map-commands.ts';
import { firstFailure, failure, type Result, success } from './result.ts';
import { type MapEntry, parseMap } from './show.ts';
import { one } from './single.ts';

export interface MapOperations {
  /** Refused if the key is absent. */
  setMapEntry(file: string, key: string, value: string): Promise<Result<void>>;
  /** For keys that are known to be absent: HAProxy keeps both entries of an added key. */
  addMapEntry(file: string, key: string, value: string): Promise<Result<void>>;
  delMapEntry(file: string, key: string): Promise<Result<void>>;
  /** Swaps the whole content at once; a request sees the old one or the new one. */
  replaceMap(file: string, entries: readonly MapEntry[]): Promise<Result<void>>;
  showMap(file: string): Promise<Result<readonly MapEntry[]>>;
}

export function mapOperations(client: RuntimeClient): MapOperations {
  function single(what: string, build: () => Command): Promise<Result<void>> {
    return guard(what, async () => dropValue(await one(client, build())));
  }
  return {
    setMapEntry: (file, key, value) => single('set map', () => maps.setMapEntryCommand(file, key, value)),
    addMapEntry: (file, key, value) => single('add map', () => maps.addMapEntryCommand(file, key, value)),
    delMapEntry: (file, key) => single('del map', () => maps.delMapEntryCommand(file, key)),
    replaceMap: (file, entries) => guard('prepare map', () => replaceMap(client, file, entries)),
    showMap: (file) =>
      guard('show map', async () => {
        const reply = await one(client, maps.showMapCommand(file));
        return reply.ok ? success(parseMap(reply.value)) : reply;
      }),
  };
}

async function replaceMap(client: RuntimeClient, file: string, entries: readonly MapEntry[]): Promise<Result<void>> {
  maps.refuseDuplicates(entries);
  // Every entry is checked before anything is sent.
  maps.fillMapCommands(file, 0, entries, client.commandLimit);
  return client.exclusive(async (run) => {
    const [prepared = failure('protocol', 'prepare map', '')] = await run([maps.prepareMapCommand(file)]);
    if (!prepared.ok) return prepared;
    const version = maps.preparedVersion(prepared.value);
    const filled = firstFailure(await run(maps.fillMapCommands(file, version, entries, client.commandLimit)));
    if (filled !== undefined) {
      // Otherwise the half-filled version would stay in memory until the next commit.
      await run([maps.clearMapVersionCommand(file, version)]);
      return filled;
    }
    return dropValue((await run([maps.commitMapCommand(file, version)]))[0] ?? failure('protocol', 'commit map', ''));
  });
}

function dropValue(reply: Result<string>): Result<void> {
  return reply.ok ? success(undefined) : reply;
}
