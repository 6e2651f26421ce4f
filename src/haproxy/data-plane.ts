import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Applied, ReloadReason } from '../model/applied.ts';
import type { Model } from '../model/model.ts';
import { planFiles, writeFiles } from './files/write.ts';
import { isolate } from './isolate.ts';
import { type Loaded, NOTHING_LOADED, type Planner } from './plan/build.ts';
import type { Plan } from './plan/plan.ts';
import type { PlanSettings } from './plan/settings.ts';
import { applySteps, type Leftover } from './reconcile/apply.ts';
import { diffPlans, type Running, type Step } from './reconcile/diff.ts';
import type { RuntimeClient } from './runtime/client.ts';

/** `refused`: HAProxy does not take the configuration on disk. `failed`: anything else. */
export interface ProcessFault {
  readonly kind: 'refused' | 'failed';
  readonly detail: string;
}

/** What the data plane needs of the process that runs HAProxy. `undefined`: it went well. */
export interface ProcessControl {
  /** Would HAProxy take the configuration on disk? */
  check(): Promise<ProcessFault | undefined>;
  start(): Promise<ProcessFault | undefined>;
  /** What was served goes on when it is refused. */
  reload(reason: string): Promise<ProcessFault | undefined>;
  readonly started: boolean;
}

interface ApplyReport extends Applied {
  /** Objects that HAProxy refused, left out of what runs. */
  readonly rejected: readonly Diagnostic[];
}

export interface DataPlaneParts {
  readonly planner: Planner;
  readonly settings: PlanSettings;
  readonly process: ProcessControl;
  readonly runtime: RuntimeClient;
  /** The agent has this data in effect when the promise ends; called before the maps that lead to it. */
  loadAgent(plan: Plan): Promise<void>;
  /** Monotonic milliseconds. */
  now(): number;
  log(message: string, facts: Readonly<Record<string, unknown>>): void;
}

/**
 * Makes HAProxy run a model. Files first, since the disk is the truth that any reload starts from; then
 * the difference at run time, or a reload. On any doubt about what runs: a reload.
 */
export class DataPlane {
  readonly #parts: DataPlaneParts;
  readonly #files = new Map<string, string>();
  #running: Running | undefined;
  #loaded: Loaded = NOTHING_LOADED;
  #leftovers: readonly Leftover[] = [];
  #queue: Promise<unknown> = Promise.resolve();

  constructor(parts: DataPlaneParts) {
    this.#parts = parts;
  }

  /** One application at a time, in the order of the calls. */
  apply(model: Model): Promise<ApplyReport> {
    const turn = this.#queue.then(() => this.#apply(model));
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  get plan(): Plan | undefined {
    return this.#running?.plan;
  }

  async #apply(model: Model): Promise<ApplyReport> {
    const started = this.#parts.now();
    const planned = this.#parts.planner.plan(model, this.#loaded);
    const report = (
      how: ApplyReport['how'],
      reasons: readonly ReloadReason[],
      steps: number,
      rest: { rejected?: readonly Diagnostic[]; model?: Model } = {},
    ): ApplyReport => ({
      how,
      reasons,
      steps,
      milliseconds: this.#parts.now() - started,
      rejected: rest.rejected ?? [],
      model: rest.model ?? model,
    });
    const running = this.#running;
    if (running === undefined) {
      const taken = await this.#restructure(model, planned, [{ reason: 'start', origin: undefined }]);
      return report('start', [], 0, taken);
    }
    const change = diffPlans(running, planned);
    if (change.reload.length === 0 && change.steps.length === 0 && this.#leftovers.length === 0 && sameAgent(running.plan, planned)) {
      this.#running = { ...running, plan: planned };
      return report('none', [], 0);
    }
    if (change.reload.length === 0) {
      const fault = await this.#applyData(planned, change.steps, running);
      if (fault === undefined) return report('data', [], change.steps.length);
      this.#parts.log('run-time change failed, reloading from disk', { fault });
      const taken = await this.#restructure(model, planned, [{ reason: 'runtime-fault', origin: undefined }]);
      return report('reload', [{ reason: 'runtime-fault', origin: undefined }], 0, taken);
    }
    const taken = await this.#restructure(model, planned, change.reload);
    return report('reload', change.reload, 0, taken);
  }

  async #applyData(planned: Plan & { loaded: Loaded }, steps: readonly Step[], running: Running): Promise<string | undefined> {
    await this.#write(planned);
    await this.#parts.loadAgent(planned);
    const revived = await this.#clearLeftovers(steps);
    if (revived !== undefined) return revived;
    const result = await applySteps(this.#parts.runtime, this.#parts.settings.runDir, steps);
    if (!result.ok) return `${result.error.command}: ${result.error.answer}`;
    this.#leftovers = [...this.#leftovers, ...result.value.leftovers];
    const emptied = planned.version === '3.2' ? [...running.plan.backends.keys()].filter((name) => !planned.backends.has(name)) : [];
    this.#running = {
      plan: planned,
      profiles: new Set([...running.profiles, ...planned.structure.profiles.keys()]),
      emptied: new Set([...running.emptied, ...emptied].filter((name) => !planned.backends.has(name))),
    };
    this.#loaded = planned.loaded;
    return undefined;
  }

  /** Visits what could not be removed before. A name that is wanted again and still busy needs a reload. */
  async #clearLeftovers(steps: readonly Step[]): Promise<string | undefined> {
    if (this.#leftovers.length === 0) return undefined;
    const removals = this.#leftovers.map(
      (one): Step =>
        one.server === undefined
          ? { op: 'remove-backend', name: one.backend }
          : { op: 'remove-server', backend: one.backend, name: one.server },
    );
    const result = await applySteps(this.#parts.runtime, this.#parts.settings.runDir, removals);
    if (!result.ok) return `${result.error.command}: ${result.error.answer}`;
    this.#leftovers = result.value.leftovers;
    const wanted = steps.some((step) =>
      this.#leftovers.some(
        (one) =>
          (step.op === 'add-server' && step.backend === one.backend && step.server.name === one.server) ||
          (step.op === 'add-backend' && step.name === one.backend),
      ),
    );
    return wanted ? 'a removed server with open connections is wanted again' : undefined;
  }

  /** Writes everything and starts or reloads; what HAProxy refuses is found and left out. */
  async #restructure(
    model: Model,
    planned: Plan & { loaded: Loaded },
    reasons: readonly ReloadReason[],
  ): Promise<{ model: Model; rejected: readonly Diagnostic[] }> {
    const reason = reasons.map((one) => one.reason).join(', ');
    const fault = await this.#load(planned, reason);
    if (fault === undefined) return { model, rejected: [] };
    if (fault.kind === 'failed') throw new Error(`HAProxy could not be brought to the new configuration: ${fault.detail}`);
    this.#parts.log('HAProxy refused the configuration, looking for the object', { refusal: fault.detail });
    const attempt = async (candidate: Model) => {
      await this.#write(this.#parts.planner.plan(candidate, NOTHING_LOADED));
      return (await this.#parts.process.check())?.detail;
    };
    const isolated = await isolate(model, fault.detail, attempt);
    const again = await this.#load(this.#parts.planner.plan(isolated.model, NOTHING_LOADED), reason);
    if (again !== undefined) throw new Error(`HAProxy could not be brought to the new configuration: ${again.detail}`);
    return isolated;
  }

  async #load(plan: Plan & { loaded: Loaded }, reason: string): Promise<ProcessFault | undefined> {
    await this.#write(plan);
    await this.#parts.loadAgent(plan);
    const fault = this.#parts.process.started ? await this.#parts.process.reload(reason) : await this.#parts.process.start();
    if (fault !== undefined) return fault;
    this.#running = { plan, profiles: new Set(plan.structure.profiles.keys()), emptied: new Set() };
    this.#loaded = plan.loaded;
    this.#leftovers = [];
    return undefined;
  }

  /** The process came back by itself, from the files on disk: nothing is left of what was added at run time beside them. */
  restarted(): void {
    if (this.#running === undefined) return;
    this.#running = { plan: this.#running.plan, profiles: new Set(this.#running.plan.structure.profiles.keys()), emptied: new Set() };
    this.#leftovers = [];
  }

  #write(plan: Plan): Promise<void> {
    return writeFiles(this.#parts.settings.runDir, planFiles(plan, this.#parts.settings), this.#files);
  }
}

function sameAgent(a: Plan, b: Plan): boolean {
  return (
    JSON.stringify([...a.agent].map(([name, entries]) => [name, [...entries]])) ===
    JSON.stringify([...b.agent].map(([name, entries]) => [name, [...entries]]))
  );
}
