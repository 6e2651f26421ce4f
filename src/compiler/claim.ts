import { diagnostic, type Diagnostic, quote } from '../diagnostics/diagnostic.ts';
import type { Snapshot } from '../objects/snapshot.ts';
import type { Ingress } from '../objects/types.ts';
import { objectOrigin } from '../objects/origin.ts';
import type { CompileSettings } from './settings.ts';

export interface Claim {
  readonly ingress: Ingress;
  readonly compat: 'nginx' | 'mse';
}

const CLASS_ANNOTATION = 'kubernetes.io/ingress.class';

/**
 * Which Ingresses are ours. The legacy annotation is asked first, as ingress-nginx does, then
 * `ingressClassName`, then the default class.
 */
export function claimIngresses(
  snapshot: Snapshot,
  settings: CompileSettings,
): { claims: readonly Claim[]; diagnostics: readonly Diagnostic[] } {
  const claims: Claim[] = [];
  const diagnostics: Diagnostic[] = [];
  const classIsOurs = (name: string) => {
    const controller = snapshot.ingressClasses.get(name)?.controller;
    if (controller !== undefined) return settings.controllers.includes(controller);
    return settings.classNames.includes(name) ? true : undefined;
  };
  const defaultIsOurs =
    settings.withoutClass ||
    [...snapshot.ingressClasses.values()].some((entry) => entry.isDefault && settings.controllers.includes(entry.controller));
  for (const ingress of snapshot.ingresses) {
    const annotated = ingress.metadata.annotations[CLASS_ANNOTATION];
    const name = annotated ?? ingress.spec.ingressClassName;
    const ours = name === undefined || name === '' ? defaultIsOurs : classIsOurs(name);
    if (ours) claims.push({ ingress, compat: name !== undefined && settings.mseClassNames.includes(name) ? 'mse' : 'nginx' });
    else if (ours === undefined && name !== undefined) {
      const field = annotated === undefined ? 'spec.ingressClassName' : `metadata.annotations["${CLASS_ANNOTATION}"]`;
      diagnostics.push(
        diagnostic(
          'ClassUnknown',
          objectOrigin(ingress, field),
          `The class ${quote(name)} is not claimed by Ramjet and no IngressClass of that name exists; the object is not served.`,
        ),
      );
    }
  }
  return { claims, diagnostics };
}
