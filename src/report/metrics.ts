import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { DIAGNOSTIC_CODES, type DiagnosticCode } from '../diagnostics/codes.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Applied } from '../model/applied.ts';
import type { RouteCounters } from '../model/counters.ts';
import { hostKey } from '../model/identity.ts';
import type { Model, Route } from '../model/model.ts';
import { pathText } from '../model/diff.ts';

/** Metrics of the controller and of the routes, in Prometheus' text format. Labels are bounded: codes, reasons, routes. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #reloads: Counter<'reason'>;
  readonly #applies: Histogram<'how'>;
  readonly #compile: Histogram;
  readonly #diagnostics: Gauge<'code' | 'severity'>;
  readonly #objects: Gauge<'kind'>;
  readonly #generation: Gauge;
  readonly #certificates: Gauge<'certificate'>;

  constructor() {
    const registers = [this.#registry];
    const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
    this.#reloads = new Counter({ name: 'ramjet_reloads_total', help: 'Reloads of HAProxy by reason.', labelNames: ['reason'], registers });
    this.#applies = new Histogram({
      name: 'ramjet_apply_seconds',
      help: 'Time from a compiled model to HAProxy running it.',
      labelNames: ['how'],
      buckets,
      registers,
    });
    this.#compile = new Histogram({ name: 'ramjet_compile_seconds', help: 'Time to compile a snapshot.', buckets, registers });
    this.#diagnostics = new Gauge({
      name: 'ramjet_diagnostics',
      help: 'Diagnostics of the objects in force.',
      labelNames: ['code', 'severity'],
      registers,
    });
    this.#objects = new Gauge({
      name: 'ramjet_model_items',
      help: 'Hosts, routes, backends, endpoints and certificates served.',
      labelNames: ['kind'],
      registers,
    });
    this.#generation = new Gauge({ name: 'ramjet_generation', help: 'Number of the generation served.', registers });
    this.#certificates = new Gauge({
      name: 'ramjet_certificate_expiry_timestamp_seconds',
      help: 'When a certificate ends.',
      labelNames: ['certificate'],
      registers,
    });
  }

  compiled(seconds: number, diagnostics: readonly Diagnostic[]): void {
    this.#compile.observe(seconds);
    this.#diagnostics.reset();
    const counts = new Map<DiagnosticCode, number>();
    for (const { code } of diagnostics) counts.set(code, (counts.get(code) ?? 0) + 1);
    for (const [code, count] of counts) this.#diagnostics.set({ code, severity: DIAGNOSTIC_CODES[code].severity }, count);
  }

  applied(report: Applied, generation: number): void {
    this.#applies.observe({ how: report.how }, report.milliseconds / 1_000);
    for (const { reason } of report.reasons) this.#reloads.inc({ reason });
    this.#generation.set(generation);
    const { model } = report;
    const endpoints = model.backends.reduce((sum, backend) => sum + backend.endpoints.length, 0);
    const counts = {
      host: model.hosts.length,
      route: model.routes.length,
      backend: model.backends.length,
      endpoint: endpoints,
      certificate: model.certificates.length,
    };
    for (const [kind, count] of Object.entries(counts)) this.#objects.set({ kind }, count);
    this.#certificates.reset();
    for (const certificate of model.certificates) this.#certificates.set({ certificate: certificate.id }, certificate.notAfter / 1_000);
  }

  async text(model: Model | undefined, counters: ReadonlyMap<string, RouteCounters>): Promise<string> {
    return `${await this.#registry.metrics()}${routeMetrics(model?.routes ?? [], counters)}`;
  }

  get contentType(): string {
    return this.#registry.contentType;
  }
}

/** Counters that HAProxy keeps are printed as they are: they would double in a registry of ours. */
function routeMetrics(routes: readonly Route[], counters: ReadonlyMap<string, RouteCounters>): string {
  const requests: string[] = [
    '# HELP ramjet_route_requests_total Answers by route and status class.',
    '# TYPE ramjet_route_requests_total counter',
  ];
  const latency: string[] = [
    "# HELP ramjet_route_response_seconds Time to the answer's headers.",
    '# TYPE ramjet_route_response_seconds histogram',
  ];
  for (const route of routes) {
    const counted = counters.get(route.id);
    if (counted === undefined) continue;
    const labels = `namespace="${escape(route.origin.namespace)}",ingress="${escape(route.origin.name)}",host="${escape(hostKey(route.host))}",path="${escape(pathText(route))}"`;
    for (const [status, count] of Object.entries(counted.statuses))
      requests.push(`ramjet_route_requests_total{${labels},status="${status}"} ${count}`);
    let cumulative = 0;
    for (const [bound, count] of counted.buckets) {
      cumulative += count;
      latency.push(`ramjet_route_response_seconds_bucket{${labels},le="${bound === Infinity ? '+Inf' : bound / 1_000}"} ${cumulative}`);
    }
    latency.push(
      `ramjet_route_response_seconds_sum{${labels}} ${counted.sumMilliseconds / 1_000}`,
      `ramjet_route_response_seconds_count{${labels}} ${cumulative}`,
    );
  }
  return [...requests, ...latency, ''].join('\n');
}

function escape(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
