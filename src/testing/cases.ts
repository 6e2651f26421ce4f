import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { CompileSettings } from '../compiler/settings.ts';
import { FEATURE_DEFAULTS, type FeatureSettings } from '../features/contract/settings.ts';
import type { HaproxyVersion } from '../haproxy/feature.ts';
import type { ListenerSettings, PlanSettings } from '../haproxy/plan/settings.ts';
import type { TestRequest, TestResponse } from './client.ts';
import type { Echo } from './echo.ts';
import { Harness } from './harness.ts';

/**
 * A request-level case: manifests, requests, what must come back. Files `cases/*.yaml` of a feature:
 *
 *     summary: one sentence
 *     versions: ['3.4', '3.2']        # default: ['3.4']
 *     settings: { features: {…}, compile: {…}, plan: {…}, listeners: {…} }
 *     manifests: |                    # YAML documents; Services without endpoints get an echo endpoint
 *     diagnostics:                    # every warning and error that must be there; others fail the case
 *       - { code: InvalidAnnotation, field: canary-weight, message: part of the sentence }
 *     requests:
 *       - request: GET http://shop.example/cart?x=1
 *         headers: { X-Canary: always }
 *         from: 127.0.0.7
 *         proxy: TCP4 192.0.2.1 192.0.2.2 5000 80
 *         body: text                  # or bodyBytes: 2000
 *         expect: { status: 200, service: default/shop, path: /cart?x=1, … }
 */
export interface Case {
  readonly summary: string;
  readonly versions?: readonly HaproxyVersion[];
  readonly settings?: {
    readonly features?: Partial<FeatureSettings>;
    readonly compile?: Partial<CompileSettings>;
    readonly plan?: Partial<PlanSettings>;
    readonly listeners?: Partial<ListenerSettings>;
  };
  readonly manifests: string;
  readonly diagnostics?: readonly { readonly code: string; readonly field?: string; readonly message?: string }[];
  readonly requests?: readonly CaseRequest[];
}

interface CaseRequest {
  readonly request: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly from?: string;
  readonly proxy?: string;
  readonly body?: string;
  readonly bodyBytes?: number;
  /** Send it so many times; with `shares`, count which Service answered. `{n}` in the request and its headers is the number of the request. */
  readonly times?: number;
  /** Pause before it, in milliseconds. */
  readonly after?: number;
  readonly expect: Expectation;
}

interface Expectation {
  readonly status?: number;
  readonly service?: string;
  /** What the endpoint received. */
  readonly method?: string;
  readonly path?: string;
  readonly bodyBytes?: number;
  /** Headers the endpoint received: a text, null for absent. `/text/` is a regular expression. */
  readonly received?: Readonly<Record<string, string | null>>;
  /** Headers of the answer, likewise. */
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body?: string;
  /** Percent of `times` by Service, each ± `tolerance` (default 4 standard deviations). */
  readonly shares?: Readonly<Record<string, number>>;
  /** How many different endpoints answered in `times`; `Service` and `Service#0` count as two. */
  readonly distinct?: number;
  /** Milliseconds from sending to the end of the answer. */
  readonly atLeast?: number;
  readonly atMost?: number;
  /** How often each status came in `times`. */
  readonly statuses?: Readonly<Record<string, number>>;
}

/** Declares a test for every case beside `moduleUrl`: `runCases(import.meta.url)`. */
export function runCases(moduleUrl: string): void {
  const directory = fileURLToPath(new URL('./cases/', moduleUrl));
  const files = readdirSync(directory)
    .filter((name) => name.endsWith('.yaml'))
    .sort();
  describe('request-level cases', () => {
    for (const file of files) {
      const one = parse(readFileSync(join(directory, file), 'utf8')) as Case;
      for (const version of one.versions ?? ['3.4' as const]) test(`${file} on ${version}: ${one.summary}`, () => runCase(one, version));
    }
  });
}

async function runCase(one: Case, version: HaproxyVersion): Promise<void> {
  const features = { ...FEATURE_DEFAULTS, ...one.settings?.features };
  const harness = await Harness.start(one.manifests, {
    version,
    compile: { features, ...one.settings?.compile },
    ...(one.settings?.plan ? { plan: one.settings.plan } : {}),
    ...(one.settings?.listeners ? { listeners: one.settings.listeners } : {}),
  });
  try {
    checkDiagnostics(one, harness);
    for (const request of one.requests ?? []) await runRequest(request, harness);
  } finally {
    await harness.stop();
  }
}

/** Cases of other matters leave out what is always said of a test object. */
function checkDiagnostics(one: Case, harness: Harness): void {
  const said = harness.compiled.diagnostics.filter((entry) => entry.severity !== 'info');
  const expected = one.diagnostics ?? [];
  for (const want of expected) {
    const found = said.some(
      (entry) =>
        entry.code === want.code && (entry.origin.field ?? '').includes(want.field ?? '') && entry.message.includes(want.message ?? ''),
    );
    expect(found, `${JSON.stringify(want)} among ${JSON.stringify(said, null, 1)}`).toBe(true);
  }
  const surplus = said.filter(
    (entry) => !expected.some((want) => entry.code === want.code && (entry.origin.field ?? '').includes(want.field ?? '')),
  );
  expect(surplus).toEqual([]);
}

async function runRequest(one: CaseRequest, harness: Harness): Promise<void> {
  if (one.after !== undefined) await new Promise((resolve) => setTimeout(resolve, one.after));
  const [method = 'GET', url = ''] = one.request.split(/ (.*)/s);
  const body = one.bodyBytes === undefined ? one.body : 'x'.repeat(one.bodyBytes);
  const request = {
    method,
    url,
    ...(one.headers ? { headers: one.headers } : {}),
    ...(one.from === undefined ? {} : { from: one.from }),
    ...(one.proxy === undefined ? {} : { proxy: one.proxy }),
    ...(body === undefined ? {} : { body }),
  };
  if (one.times !== undefined) return runMany(one, one.times, (number) => harness.send(numbered(request, number)));
  const response = await harness.send(request);
  checkResponse(one, response, harness);
}

function checkResponse({ request, expect: want }: CaseRequest, response: TestResponse, harness: Harness): void {
  const context = `${request}\nanswered ${response.status} ${JSON.stringify(response.headers)} ${response.body.slice(0, 500)}\n${harness.log}`;
  if (want.status !== undefined) expect(response.status, context).toBe(want.status);
  if (want.atLeast !== undefined) expect(response.milliseconds, context).toBeGreaterThanOrEqual(want.atLeast);
  if (want.atMost !== undefined) expect(response.milliseconds, context).toBeLessThanOrEqual(want.atMost);
  if (want.body !== undefined) matchText(response.body, want.body, `${context}\nbody`);
  for (const [name, text] of Object.entries(want.headers ?? {}))
    matchHeader(response.headers[name.toLowerCase()], text, `${context}\nheader ${name}`);
  if (
    want.service === undefined &&
    want.path === undefined &&
    want.received === undefined &&
    want.method === undefined &&
    want.bodyBytes === undefined
  )
    return;
  const echo = JSON.parse(response.body) as Echo;
  if (want.service !== undefined) expect(echo.service, context).toBe(want.service);
  if (want.path !== undefined) expect(echo.path, context).toBe(want.path);
  if (want.method !== undefined) expect(echo.method, context).toBe(want.method);
  if (want.bodyBytes !== undefined) expect(echo.bodyBytes, context).toBe(want.bodyBytes);
  for (const [name, text] of Object.entries(want.received ?? {}))
    matchHeader(echo.headers[name.toLowerCase()], text, `${context}\nreceived ${name}`);
}

function matchHeader(actual: string | readonly string[] | undefined, want: string | null, context: string): void {
  if (want === null) expect(actual, context).toBeUndefined();
  else matchText(Array.isArray(actual) ? actual.join(', ') : String(actual), want, context);
}

function matchText(actual: string, want: string, context: string): void {
  const pattern = /^\/(.*)\/$/s.exec(want)?.[1];
  if (pattern === undefined) expect(actual, context).toBe(want);
  else expect(actual, context).toMatch(new RegExp(pattern, 's'));
}

function numbered(request: TestRequest, number: number): TestRequest {
  const fill = (text: string) => text.replaceAll('{n}', String(number));
  const headers = Object.entries(request.headers ?? {}).map(([name, value]): [string, string | readonly string[]] => [
    name,
    typeof value === 'string' ? fill(value) : value.map(fill),
  ]);
  return { ...request, url: fill(request.url), headers: Object.fromEntries(headers) };
}

async function runMany(
  { request, expect: want }: CaseRequest,
  times: number,
  sendOne: (number: number) => Promise<TestResponse>,
): Promise<void> {
  const services = new Map<string, number>();
  const statuses = new Map<string, number>();
  const one = async (number: number) => {
    const response = await sendOne(number);
    statuses.set(String(response.status), (statuses.get(String(response.status)) ?? 0) + 1);
    if (want.shares === undefined && want.distinct === undefined) return;
    const { service } = JSON.parse(response.body) as Echo;
    services.set(service, (services.get(service) ?? 0) + 1);
  };
  for (let sent = 0; sent < times; sent += 20)
    await Promise.all(Array.from({ length: Math.min(20, times - sent) }, (_, index) => one(sent + index)));
  for (const [status, count] of Object.entries(want.statuses ?? {}))
    expect(statuses.get(status) ?? 0, `${request} answered ${status}: ${JSON.stringify([...statuses])}`).toBe(count);
  if (want.distinct !== undefined) expect(services.size, `${request}: ${JSON.stringify([...services])}`).toBe(want.distinct);
  for (const [service, percent] of Object.entries(want.shares ?? {})) {
    const share = percent / 100;
    const spread = 4 * Math.sqrt(times * share * (1 - share)) + 1;
    expect(
      Math.abs((services.get(service) ?? 0) - times * share),
      `${request}: ${service} of ${JSON.stringify([...services])}`,
    ).toBeLessThanOrEqual(spread);
  }
}
