import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { compile } from '../../src/compiler/compile.ts';
import { COMPILE_DEFAULTS } from '../../src/compiler/settings.ts';
import { DIALECT_NAMES, DIALECTS } from '../../src/features/contract/dialect.ts';
import { registryOf } from '../../src/features/contract/registry.ts';
import { FEATURES } from '../../src/features/features.generated.ts';
import { driverOf } from '../../src/haproxy/driver.ts';
import { planFiles, writeFiles } from '../../src/haproxy/files/write.ts';
import { type Loaded, Planner } from '../../src/haproxy/plan/build.ts';
import type { Plan } from '../../src/haproxy/plan/plan.ts';
import { PLAN_DEFAULTS } from '../../src/haproxy/plan/settings.ts';
import { renderConfig, renderMap } from '../../src/haproxy/render/text.ts';
import { Secret } from '../../src/model/secret.ts';
import { snapshotOf } from '../../src/objects/snapshot.ts';
import type { Ingress, Service } from '../../src/objects/types.ts';
import { haproxyBinary } from '../../src/testing/haproxy-binary.ts';
import { selfSigned } from '../../src/testing/self-signed.ts';

/** Stands in every hostile value; nothing of it may reach the configuration. */
const MARK = 'iNjEcTeD';

const HOSTILE = [
  `x\n  http-request deny # ${MARK}`,
  `x\r\n  http-request deny ${MARK}`,
  `"\n  http-request return status 200 string ${MARK}`,
  `'; ${MARK}`,
  `" if TRUE ${MARK}`,
  `%[src] ${MARK}`,
  `%{+Q}o ${MARK}`,
  `$(${MARK})`,
  '${' + MARK + '}',
  `# ${MARK}`,
  `\\ ${MARK}`,
  `\u0000${MARK}`,
  `{{ ${MARK} }}`,
  `^/(${MARK})+$ 1\n^.* 0`,
  `${MARK}|a|b|c`,
  `<<\n${MARK}`,
  `true\n${MARK}`,
  `https://${MARK}.example/\r\nSet-Cookie: a=b`,
  `${MARK};add map x y z`,
  MARK.repeat(8192),
];

/** Keys that switch their feature on, so that the hostile value of a neighbour is really read. */
const COMPANIONS: Readonly<Record<string, string>> = {
  'nginx.ingress.kubernetes.io/enable-cors': 'true',
  'nginx.ingress.kubernetes.io/affinity': 'cookie',
  'nginx.ingress.kubernetes.io/use-regex': 'true',
  'nginx.ingress.kubernetes.io/limit-rps': '5',
  'haproxy-haptic.org/cors-enable': 'true',
  'haproxy-haptic.org/affinity': 'cookie',
  'haproxy-haptic.org/rate-limit-rps': '5',
};

const registry = registryOf(FEATURES);
const directory = mkdtempSync(join(tmpdir(), 'ramjet-hostile-'));
const settings = {
  ...PLAN_DEFAULTS,
  runDir: directory,
  listeners: { ...PLAN_DEFAULTS.listeners, http: ['127.0.0.1:1'], https: ['127.0.0.1:2'] },
};
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function metadata(name: string, annotations: Readonly<Record<string, string>>) {
  return { namespace: 'default', name, uid: '', resourceVersion: '', generation: 0, createdAt: 0, labels: {}, annotations };
}

const service: Service = {
  kind: 'Service',
  metadata: metadata('web', { 'ramjet.dev/endpoints': '127.0.0.1:9' }),
  type: 'ClusterIP',
  clusterIPs: [],
  ports: [{ port: 80, targetPort: 80, protocol: 'TCP' }],
};

function ingress(annotations: Readonly<Record<string, string>>, name = 'web', host = 'hostile.example'): Ingress {
  const backend = { service: { name: 'web', port: 80 } };
  return {
    kind: 'Ingress',
    metadata: metadata(name, annotations),
    spec: { ingressClassName: 'ramjet', rules: [{ host, paths: [{ path: '/a', pathType: 'Prefix', backend }] }], tls: [] },
  };
}

/** `loaded`: features whose rules stand there already, as after a first use. */
async function planOf(objects: readonly Ingress[], loaded?: Loaded) {
  const compiled = compile(snapshotOf([service, ...objects]), COMPILE_DEFAULTS, registry);
  const plan = new Planner(await driverOf(), settings, new Secret(selfSigned())).plan(compiled.model, loaded);
  return { compiled, plan };
}

/** First words of every line: which directives there are, not what they hold. */
function directives(plan: Plan): readonly string[] {
  return renderConfig(plan)
    .split('\n')
    .filter((line) => !line.startsWith('backend ') && !line.startsWith('defaults p_'))
    .map((line) => line.trim().split(' ').slice(0, 2).join(' '));
}

const neighbour = ingress({}, 'neighbour', 'neighbour.example');

describe('a hostile annotation value never becomes configuration', () => {
  for (const dialect of DIALECT_NAMES) {
    const prefix = DIALECTS[dialect].prefixes[0];
    const keys = [...(registry.keys.get(dialect)?.values() ?? [])];
    for (const { spec, feature } of new Set(keys)) {
      test(`${prefix}/${spec.name}`, async () => {
        const fullKey = `${prefix}/${spec.name}`;
        const companions = Object.fromEntries(Object.entries(COMPANIONS).filter(([name]) => name.startsWith(prefix) && name !== fullKey));
        for (const text of HOSTILE) {
          const { plan, compiled } = await planOf([ingress({ ...companions, [fullKey]: text }), neighbour]);
          expect(renderConfig(plan), `${feature} ${JSON.stringify(text.slice(0, 60))}`).not.toContain(MARK);
          for (const map of plan.maps.values())
            for (const line of renderMap(map).trimEnd().split('\n')) expect(line).toMatch(/^$|^[\x21-\x7e]+ [\x21-\x7e]*$/);
          const said = compiled.diagnostics.some((entry) => entry.origin.name === 'web' && (entry.origin.field ?? '').includes(fullKey));
          if (!said) {
            // A harmless value may bring its feature into use: then the rules are the feature's own, whatever the value.
            const clean = await planOf([ingress(companions), neighbour], plan.loaded);
            expect(directives(plan)).toEqual(directives(clean.plan));
          }
          const other = compiled.model.routes.find((route) => route.origin.name === 'neighbour');
          expect(other?.closed).toBeUndefined();
          expect(other?.backend).toBeDefined();
        }
      });
    }
  }

  test('HAProxy takes the plan of an object with every key hostile at once', async () => {
    for (const text of HOSTILE) {
      const objects = DIALECT_NAMES.map((dialect, index) => {
        const entries = [...(registry.keys.get(dialect)?.values() ?? [])].map(({ spec }) => [
          `${DIALECTS[dialect].prefixes[0]}/${spec.name}`,
          text,
        ]);
        return ingress(Object.fromEntries(entries), `web-${index}`, `hostile-${index}.example`);
      });
      const { plan } = await planOf([...objects, neighbour]);
      await writeFiles(directory, planFiles(plan, settings), new Map());
      expect(() => execFileSync(haproxyBinary('3.4'), ['-c', '-f', join(directory, 'haproxy.cfg')], { stdio: 'pipe' })).not.toThrow();
    }
  });
});
