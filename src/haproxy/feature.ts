import type { Backend, Endpoint, Route } from '../model/model.ts';
import type { BackendPolicies, BackendPolicyName, RoutePolicies, RoutePolicyName } from '../model/policies.ts';
import type { AgentMessage } from './feature-agent.ts';
import type { Phase } from './phases.ts';
import type { Row, RowTable } from './rows.ts';
import type { Token } from './tokens.ts';

/** The two supported lines of HAProxy. */
export type HaproxyVersion = '3.2' | '3.4';

/** One statement of the frontend or of every backend, placed by phase. */
export interface Rule {
  readonly phase: Phase;
  readonly line: Token;
}

/** A proxy section of its own: a stick table, an agent's backend. Must not depend on any one object. */
export interface Section {
  readonly head: Token;
  readonly lines: readonly Token[];
}

/** A file beside the configuration that a rule or a server refers to by path. */
export interface PlanFile {
  /** Relative to the run directory: `ca/9f3c.pem`. `[a-z0-9/._-]+` */
  readonly name: string;
  readonly content: string;
  /** Kept out of printed plans. */
  readonly secret: boolean;
}

export interface RuleContext {
  readonly version: HaproxyVersion;
  /** True for routes that have the feature: `{ var(txn.fl) -m sub X }` without the braces' surroundings. */
  readonly inUse: Token;
  /** All variants named by the policies in use, sorted. */
  readonly variants: readonly string[];
  /** Path of a table's map file, for fetches other than `load`. */
  file(table: RowTable): Token;
  /** `var(txn.rid),map_str(FILE)`: the row of the route, for `set-var(txn.NAME)`. */
  lookup(table: RowTable): Token;
}

/**
 * How a route feature is carried out. *Rules* are static text that exists once, if any route uses the
 * feature; *rows* are data by route. A new row is a Runtime API call; a first use, or a new variant,
 * is a reload.
 */
export interface RoutePart<N extends RoutePolicyName> {
  readonly level: 'route';
  readonly feature: N;
  readonly tables: readonly RowTable[];
  /** Where the policy stands, if not under the feature's name in `route.policies`. */
  policyOf?(route: Route): RoutePolicies[N] | undefined;
  /**
   * The policy that most routes have, such as a default: it costs the route no flag and no row. Rules of
   * phase `common` carry it out where `inUse` is not true, with `shared` and `commonRows`.
   */
  isCommon?(policy: RoutePolicies[N], route: Route): boolean;
  /** Rows of a route whose policy is common. */
  commonRows?(policy: RoutePolicies[N], route: Route): readonly Row[];
  rows(policy: RoutePolicies[N], route: Route): readonly Row[];
  /** Rows that many routes have in common, such as the networks of an access list: built and written once. */
  shared?(policy: RoutePolicies[N]): readonly SharedRows[];
  /** Structure this policy needs beyond "in use", such as a header name or a period: short words. */
  variants?(policy: RoutePolicies[N]): readonly string[];
  rules(context: RuleContext): readonly Rule[];
  sections?(context: RuleContext): readonly Section[];
  /** Stick tables that must outlive a reload, as `table NAME …` lines; rules call them `local/NAME`. */
  peerTables?(context: RuleContext): readonly Token[];
  /** Lua files in the feature's folder, loaded while the feature is in use. Read by the plan writer. */
  readonly lua?: readonly URL[];
  /** Questions that `rules` asks the agent; see `askAgent`. Their handlers stand in the feature's agent.ts. */
  messages?(context: RuleContext): readonly AgentMessage[];
  /** What the agent needs to know about this route, by handler. */
  agent?(policy: RoutePolicies[N], route: Route): AgentEntry | undefined;
}

/** Equal keys mean equal rows. `key` holds the table's name, so that features don't meet by accident. */
export interface SharedRows {
  readonly key: string;
  rows(): readonly Row[];
}

/** One fact for the agent. Entries of several routes with one key must be equal: the key then names what they share. */
export interface AgentEntry {
  readonly handler: string;
  readonly key: string;
  /** Plain JSON data; secrets already revealed, since the agent's file is private (mode 0600). */
  readonly value: unknown;
}

/** How a backend feature is carried out: lines of the shared defaults ("profile") and options of every server. */
export interface BackendPart<N extends BackendPolicyName> {
  readonly level: 'backend';
  readonly feature: N;
  /** Where the policy stands, if not under the feature's name in `backend.policies`. */
  policyOf?(backend: Backend): BackendPolicies[N] | undefined;
  /** Lines for the named defaults that all backends with an equal set of lines share. Allowed in `defaults` sections only. */
  profile?(policy: BackendPolicies[N], version: HaproxyVersion): readonly Token[];
  /** Options of each server line, also given to `add server`. */
  server?(policy: BackendPolicies[N], endpoint: Endpoint, context: ServerContext): readonly Token[];
  files?(policy: BackendPolicies[N]): readonly PlanFile[];
}

export interface ServerContext {
  readonly version: HaproxyVersion;
  /** Absolute path of a plan file. */
  file(name: string): Token;
}

type AnyRoutePart = { [N in RoutePolicyName]: RoutePart<N> }[RoutePolicyName];
type AnyBackendPart = { [N in BackendPolicyName]: BackendPart<N> }[BackendPolicyName];

export type HaproxyPart = AnyRoutePart | AnyBackendPart;
