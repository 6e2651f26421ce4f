import { compile, CompilerMemory, type Compiled } from './compiler/compile.ts';
import type { CompileSettings } from './compiler/settings.ts';
import { compareDiagnostics, type Diagnostic } from './diagnostics/diagnostic.ts';
import type { Registry } from './features/contract/registry.ts';
import type { Applied } from './model/applied.ts';
import type { Model } from './model/model.ts';
import type { Snapshot } from './objects/snapshot.ts';
import type { Generations } from './report/generations.ts';
import type { Metrics } from './report/metrics.ts';

/** `rejected`: objects that the data plane refused. */
type ApplyReport = Applied & { readonly rejected: readonly Diagnostic[] };

export interface ControllerParts {
  readonly settings: CompileSettings;
  readonly registry: Registry;
  readonly dataPlane: { apply(model: Model): Promise<ApplyReport> };
  readonly generations: Generations;
  readonly metrics: Metrics;
  /** Monotonic milliseconds. */
  now(): number;
  log(level: 'info' | 'warn' | 'error', message: string, facts: Readonly<Record<string, unknown>>): void;
}

/** What is served now, for the admin port. */
export interface ControllerState {
  readonly model: Model | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** True after the first model is served. */
  readonly ready: boolean;
}

/**
 * From snapshots to a running data plane. While one is being applied, only the newest of those that
 * arrive is kept: a burst of changes costs two applications.
 */
export class Controller {
  readonly #parts: ControllerParts;
  readonly #memory = new CompilerMemory();
  #pending: Snapshot | undefined;
  #working: Promise<void> | undefined;
  #state: ControllerState = { model: undefined, diagnostics: [], ready: false };
  #stopped = false;

  constructor(parts: ControllerParts) {
    this.#parts = parts;
  }

  get state(): ControllerState {
    return this.#state;
  }

  /** Takes a snapshot; the promise ends when it, or a newer one, is served or has failed. */
  submit(snapshot: Snapshot): Promise<void> {
    this.#pending = snapshot;
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
    });
    return this.#working;
  }

  /** No further snapshot is taken; ends when the one being applied is done. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#working;
  }

  async #work(): Promise<void> {
    while (this.#pending !== undefined && !this.#stopped) {
      const snapshot = this.#pending;
      this.#pending = undefined;
      await this.#serve(snapshot);
    }
  }

  async #serve(snapshot: Snapshot): Promise<void> {
    const { settings, registry, dataPlane, metrics, now } = this.#parts;
    const started = now();
    const compiled = compile(snapshot, settings, registry, this.#memory);
    const compileMilliseconds = now() - started;
    try {
      const report = await dataPlane.apply(compiled.model);
      this.#finish(compiled, report, compileMilliseconds);
    } catch (error) {
      // What runs goes on; the next change tries again.
      this.#parts.log('error', 'the change could not be applied', { error: error instanceof Error ? error.message : String(error) });
    }
    metrics.compiled(compileMilliseconds / 1_000, this.#state.diagnostics);
  }

  #finish(compiled: Compiled, report: ApplyReport, compileMilliseconds: number): void {
    const diagnostics =
      report.rejected.length === 0 ? compiled.diagnostics : [...compiled.diagnostics, ...report.rejected].sort(compareDiagnostics);
    this.#state = { model: report.model, diagnostics, ready: true };
    const generation = this.#parts.generations.record(report.model, report);
    this.#parts.metrics.applied(report, generation?.number ?? this.#parts.generations.list[0]?.number ?? 0);
    for (const entry of report.rejected) this.#parts.log('error', entry.message, { code: entry.code });
    if (generation === undefined) return;
    const facts = {
      generation: generation.number,
      how: report.how,
      compileMs: Math.round(compileMilliseconds),
      applyMs: generation.milliseconds,
      steps: report.steps,
    };
    const reasons = report.reasons.map((reason) => reason.reason);
    this.#parts.log('info', 'serving', reasons.length === 0 ? facts : { ...facts, reasons });
  }
}
