import { COMPILE_DEFAULTS, type CompileSettings } from '../compiler/settings.ts';
import { PLAN_DEFAULTS, type PlanSettings } from '../haproxy/plan/settings.ts';

/** Everything an operator can set. */
export interface Settings {
  /** Files or directories of manifests; `-` is standard input. */
  readonly manifests: readonly string[];
  readonly compile: CompileSettings;
  readonly plan: Omit<PlanSettings, 'version' | 'runDir'>;
  /** Where files and sockets live; undefined: a directory of the process in the system's temporary directory. */
  readonly runDir: string | undefined;
  /** Path of HAProxy; undefined: found or provisioned. */
  readonly haproxy: string | undefined;
  /** `address:port` of the admin port. */
  readonly admin: string;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
  /** Milliseconds that open connections get when Ramjet ends. */
  readonly drain: number;
  /** Milliseconds in which readiness already fails and new connections are still served, for balancers to notice. */
  readonly lameDuck: number;
}

/** Folders of YAML come from every controller there is, so all their classes are claimed until told otherwise. */
export const FOLDER_DEFAULTS: Settings = {
  manifests: [],
  compile: {
    ...COMPILE_DEFAULTS,
    controllers: ['ramjet.dev/ingress', 'k8s.io/ingress-nginx'],
    classNames: ['ramjet', 'nginx', 'haptic', 'haproxy', 'mse', 'higress'],
    withoutClass: true,
  },
  plan: {
    ...PLAN_DEFAULTS,
    listeners: { ...PLAN_DEFAULTS.listeners, http: [':8080'], https: [':8443'], publicHttpPort: 8080, publicHttpsPort: 8443 },
  },
  runDir: undefined,
  haproxy: undefined,
  admin: '127.0.0.1:10254',
  logLevel: 'info',
  drain: 30_000,
  lameDuck: 0,
};
