import { isIPv6 } from 'node:net';
import { shortDigest } from '../../model/identity.ts';
import type { Backend, Endpoint } from '../../model/model.ts';
import type { BackendPolicyName } from '../../model/policies.ts';
import type { BackendPart, PlanFile, Rule } from '../feature.ts';
import { hap, milliseconds, type Token, word } from '../tokens.ts';
import type { PlanBackend, PlanServer } from './plan.ts';
import type { PlanSettings } from './settings.ts';

export type AnyBackendPart = { [N in BackendPolicyName]: BackendPart<N> }[BackendPolicyName];

/** A backend's plan and what it needs beside itself. */
export interface BackendData {
  readonly backend: PlanBackend;
  readonly profileLines: readonly string[];
  readonly files: readonly PlanFile[];
}

/** Remembered by identity of the backend; forgotten when the shared rules change. */
export class BackendDataMemory {
  #memory = new WeakMap<Backend, BackendData>();
  #shared = '';
  readonly #parts: readonly AnyBackendPart[];
  readonly #settings: PlanSettings;

  constructor(parts: readonly AnyBackendPart[], settings: PlanSettings) {
    this.#parts = parts;
    this.#settings = settings;
  }

  /** What a backend without any policy uses. */
  plainProfile(sharedRules: readonly Rule[]): { readonly name: string; readonly lines: readonly string[] } {
    const lines = [...baseProfile(this.#settings), ...sharedRules.map((rule) => rule.line)].map((line) => line.text);
    return { name: profileName(lines), lines };
  }

  of(backend: Backend, sharedRules: readonly Rule[]): BackendData {
    const shared = sharedRules.map((rule) => rule.line.text).join('\n');
    if (shared !== this.#shared) {
      this.#shared = shared;
      this.#memory = new WeakMap();
    }
    const known = this.#memory.get(backend);
    if (known) return known;
    const data = buildBackend(backend, this.#parts, sharedRules, this.#settings);
    this.#memory.set(backend, data);
    return data;
  }
}

function buildBackend(
  backend: Backend,
  parts: readonly AnyBackendPart[],
  sharedRules: readonly Rule[],
  settings: PlanSettings,
): BackendData {
  const policyOf = (part: AnyBackendPart) => (part.policyOf ? part.policyOf(backend) : backend.policies[part.feature]);
  const used = parts.filter((part) => policyOf(part) !== undefined);
  // A part is registered under its own feature's name, so the policy is of its type.
  const policy = (part: AnyBackendPart) => policyOf(part) as never;
  const profileLines = [
    ...baseProfile(settings),
    ...used.flatMap((part) => part.profile?.(policy(part), settings.version) ?? []),
    ...sharedRules.map((rule) => rule.line),
  ].map((line) => line.text);
  const files = used.flatMap((part) => part.files?.(policy(part)) ?? []);
  const context = { version: settings.version, file: (name: string) => word(`${settings.runDir}/${name}`) };
  const servers = new Map<string, PlanServer>();
  for (const endpoint of backend.endpoints) {
    const options = [hap`pool-low-conn 8`, ...used.flatMap((part) => part.server?.(policy(part), endpoint, context) ?? [])];
    servers.set(endpoint.name, planServer(endpoint, options));
  }
  const profile = profileName(profileLines);
  return { backend: { name: word(backend.id).text, profile, servers, origin: backend.origin }, profileLines, files };
}

function profileName(lines: readonly string[]): string {
  return `p_${shortDigest(...lines)}`;
}

/** Lines come in the order base, features, rules: a later `balance` or `timeout` of a feature wins over the base's. */
function baseProfile(settings: PlanSettings): readonly Token[] {
  const { timeouts } = settings;
  return [
    hap`mode http`,
    hap`balance roundrobin`,
    hap`timeout connect ${milliseconds(timeouts.connect)}`,
    hap`timeout server ${milliseconds(timeouts.server)}`,
    hap`timeout tunnel ${milliseconds(timeouts.tunnel)}`,
    hap`http-reuse always`,
    hap`option redispatch 1`,
    hap`retries 2`,
  ];
}

function planServer(endpoint: Endpoint, options: readonly Token[]): PlanServer {
  const host = isIPv6(endpoint.address) ? `[${endpoint.address}]` : endpoint.address;
  if (!/^[0-9A-Fa-f.:[\]]+$/.test(host)) throw new Error(`not an address: ${host}`);
  return {
    name: word(endpoint.name.replaceAll(/[[\]]/g, '')).text,
    address: `${host}:${endpoint.port}`,
    draining: endpoint.state === 'draining',
    options: options.map((option) => option.text),
  };
}
