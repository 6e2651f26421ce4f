import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Plan } from '../plan/plan.ts';
import type { PlanSettings } from '../plan/settings.ts';
import { SPOE_FILE } from '../plan/agent.ts';
import { renderCertificateList, renderConfig, renderMap, renderSpoe } from '../render/text.ts';

export interface DiskFile {
  /** Relative to the run directory. */
  readonly name: string;
  readonly content: string;
  /** Mode 0600: keys, password hashes. */
  readonly secret: boolean;
}

/** Every file of a plan. The disk is always the truth: what is applied at run time is here first. */
export function planFiles(plan: Plan, settings: PlanSettings): readonly DiskFile[] {
  const agent = Object.fromEntries([...plan.agent].map(([handler, entries]) => [handler, Object.fromEntries(entries)]));
  const spoe = renderSpoe(plan);
  return [
    ...(spoe === undefined ? [] : [{ name: SPOE_FILE, content: spoe, secret: false }]),
    { name: 'haproxy.cfg', content: renderConfig(plan), secret: false },
    { name: 'trusted-proxies.lst', content: settings.trustedProxies.map((range) => `${range}\n`).join(''), secret: false },
    { name: 'certs/list', content: renderCertificateList(plan, `${settings.runDir}/certs`), secret: false },
    { name: 'agent.json', content: `${JSON.stringify(agent)}\n`, secret: true },
    ...[...plan.maps.values()].map((map) => ({ name: `maps/${map.name}.map`, content: renderMap(map), secret: false })),
    ...[...plan.certificates.values()].map((one) => ({ name: `certs/${one.name}`, content: one.pem.reveal(), secret: true })),
    ...[...plan.files.values()],
    ...[...plan.structure.lua].map(([name, content]) => ({ name: `lua/${name}`, content, secret: false })),
  ];
}

/** Writes what differs, each file whole: a reader sees the old content or the new one. */
export async function writeFiles(runDir: string, files: readonly DiskFile[], known: Map<string, string>): Promise<void> {
  for (const file of files) {
    if (known.get(file.name) === file.content) continue;
    const path = join(runDir, file.name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const temporary = `${path}.new`;
    await writeFile(temporary, file.content, { mode: file.secret ? 0o600 : 0o644 });
    await rename(temporary, path);
    known.set(file.name, file.content);
  }
}

/** Lua sources by file name, for the planner. */
export async function readLua(urls: readonly URL[]): Promise<ReadonlyMap<string, string>> {
  const entries = await Promise.all(urls.map(async (url) => [url.pathname.split('/').at(-1) ?? '', await readFile(url, 'utf8')] as const));
  return new Map(entries);
}
