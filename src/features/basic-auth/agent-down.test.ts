import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashSync } from '@node-rs/bcrypt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AgentProcess } from '../../agent/process.ts';
import type { TestResponse } from '../../testing/client.ts';
import { Harness } from '../../testing/harness.ts';

const MANIFESTS = `
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: a
  annotations: { nginx.ingress.kubernetes.io/auth-type: basic, nginx.ingress.kubernetes.io/auth-secret: users }
spec:
  rules:
    - host: a.example
      http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: web, port: { number: 80 } } } }] }
---
apiVersion: v1
kind: Secret
metadata: { name: users }
stringData: { auth: 'alice:${hashSync('old', 4)}' }
---
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { ports: [{ port: 80 }] }
`;

/** With the agent in a process of its own, as it runs in production. */
describe.each(['3.4', '3.2'] as const)('without a working agent, on %s', (version) => {
  let harness: Harness;
  let agent: AgentProcess;

  beforeAll(async () => {
    harness = await Harness.start(MANIFESTS, { version });
    await harness.agent?.stop();
    agent = await AgentProcess.start({ runDir: harness.directory, times: { pause: 1_500 } });
    await untilStatus(200);
  });

  afterAll(async () => {
    await agent.stop();
    await harness.stop();
  });

  function ask(password: string | undefined): Promise<TestResponse> {
    const headers = password === undefined ? {} : { Authorization: `Basic ${Buffer.from(`alice:${password}`).toString('base64')}` };
    return harness.send({ method: 'GET', url: 'http://a.example/', headers });
  }

  async function untilStatus(status: number, password = 'old'): Promise<void> {
    while ((await ask(password)).status !== status) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  function signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
    if (agent.pid !== undefined) process.kill(agent.pid, name);
  }

  test('killed: 503 at once and never 200, then everything as before', async () => {
    expect((await ask('old')).status).toBe(200);
    signal('SIGKILL');
    const statuses = new Set<number>();
    while (!agent.healthy || statuses.size === 0) {
      const response = await ask('old');
      statuses.add(response.status);
      expect(response.milliseconds).toBeLessThan(1_000);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(statuses).toContain(503);
    await untilStatus(200);
    expect((await ask('wrong')).status).toBe(401);
  });

  test('hung: 503 within two seconds', async () => {
    signal('SIGSTOP');
    const responses = await Promise.all(['old', 'wrong', 'third'].map(ask));
    signal('SIGCONT');
    for (const { status, milliseconds } of responses) {
      expect(status).toBe(503);
      expect(milliseconds).toBeLessThan(2_000);
    }
    await untilStatus(200);
  });

  test('a password is asked for in any case', async () => {
    signal('SIGSTOP');
    const response = await ask(undefined);
    signal('SIGCONT');
    expect(response.status).toBe(401);
    await untilStatus(200);
  });

  test('another password in the Secret counts from the moment it is loaded, without a reload', async () => {
    const path = join(harness.directory, 'agent.json');
    const text = await readFile(path, 'utf8');
    await writeFile(
      path,
      text.replace(/\$2[^"]*/, () => hashSync('new', 4)),
    );
    await agent.load();
    expect([(await ask('old')).status, (await ask('new')).status]).toEqual([401, 200]);
    await writeFile(path, text);
    await agent.load();
    expect([(await ask('old')).status, (await ask('new')).status]).toEqual([200, 401]);
  });
});
