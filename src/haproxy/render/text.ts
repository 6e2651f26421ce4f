import type { Plan, PlanBackend, PlanMap, PlanServer } from '../plan/plan.ts';

/** The configuration file. Deterministic: equal plans give equal text. */
export function renderConfig(plan: Plan): string {
  const profiles = [...plan.structure.profiles].map(([name, lines]) => section([`defaults ${name}`, ...lines]));
  const backends = [...plan.backends.values()].map(renderBackend);
  return `${[...plan.structure.sections.map(section), ...profiles, ...backends].join('\n')}`;
}

/** The SPOE file: one scope, which the filter's engine names. Nothing if the agent is not asked. */
export function renderSpoe(plan: Plan): string | undefined {
  const { spoe } = plan.structure;
  return spoe.length === 0 ? undefined : ['[ramjet]\n', ...spoe.map(section)].join('\n');
}

function section(lines: readonly string[]): string {
  const [head = '', ...rest] = lines;
  return `${[head, ...rest.map((line) => `  ${line}`)].join('\n')}\n`;
}

const backendTexts = new WeakMap<PlanBackend, string>();

/** Thousands of backends stay the same from one plan to the next: their text is kept by identity. */
function renderBackend(backend: PlanBackend): string {
  const known = backendTexts.get(backend);
  if (known !== undefined) return known;
  const text = section([`backend ${backend.name} from ${backend.profile}`, ...[...backend.servers.values()].map(renderServer)]);
  backendTexts.set(backend, text);
  return text;
}

/** A draining server keeps what it has and gets nothing new: weight 0. */
function renderServer(server: PlanServer): string {
  return ['server', server.name, server.address, ...server.options, ...(server.draining ? ['weight 0'] : [])].join(' ');
}

export function renderMap(map: PlanMap): string {
  return [...map.entries].map(([key, value]) => `${key} ${value}\n`).join('');
}

/** Lines of the certificate list: `FILE [options] names`. The first line is what clients without a known name get. */
export function renderCertificateList(plan: Plan, directory: string): string {
  const certificates = [...plan.certificates.values()];
  const fallback = certificates.filter((one) => one.names.length === 0);
  const named = certificates.filter((one) => one.names.length > 0);
  return [...fallback, ...named].map((one) => `${[`${directory}/${one.name}`, ...one.names].join(' ')}\n`).join('');
}
