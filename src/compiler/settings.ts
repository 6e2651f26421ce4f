import type { FeatureSettings } from '../features/contract/settings.ts';
import { FEATURE_DEFAULTS } from '../features/contract/settings.ts';

/** Everything beside the snapshot that the compiled result depends on. */
export interface CompileSettings {
  readonly features: FeatureSettings;
  /** `spec.controller` values of IngressClasses that are ours. */
  readonly controllers: readonly string[];
  /** Class names that are ours even without an IngressClass object (the legacy annotation, folders of YAML). */
  readonly classNames: readonly string[];
  /** Classes whose objects mean what MSE means where it differs from ingress-nginx. */
  readonly mseClassNames: readonly string[];
  /** Serve objects without any class. */
  readonly withoutClass: boolean;
  /** `namespace/name:port`, answers what no route matches; else 404. */
  readonly defaultBackend?: string;
  /** `namespace/name` of a TLS Secret shown where no certificate fits; else a self-signed one. */
  readonly defaultCertificate?: string;
}

export const COMPILE_DEFAULTS: CompileSettings = {
  features: FEATURE_DEFAULTS,
  controllers: ['ramjet.dev/ingress'],
  classNames: ['ramjet'],
  mseClassNames: ['mse', 'higress'],
  withoutClass: false,
};
