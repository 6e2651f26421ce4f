import { diagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import { hostKey } from '../model/identity.ts';
import type { HostMatch } from '../model/model.ts';
import { originName } from '../model/origin.ts';
import { objectOrigin } from '../objects/origin.ts';
import { byAge } from './merge.ts';
import type { HostWide, Translated } from './translate.ts';

export interface HostWidePolicies {
  of(host: HostMatch): HostWide | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * What objects say for whole hosts. The oldest object that says anything for a host decides all of it,
 * so that the pieces of two objects never mix; a failure of its security features closes the host.
 */
export function hostWidePolicies(translated: readonly Translated[]): HostWidePolicies {
  const speakers = translated.filter(({ hostWide }) => hostWide.closed !== undefined || Object.keys(hostWide.policies).length > 0);
  const holders = new Map<string, Translated>();
  const diagnostics: Diagnostic[] = [];
  for (const one of speakers.sort(byAge)) {
    const hosts = new Set(one.routes.filter(({ draft }) => !draft.derived).map(({ draft }) => hostKey(draft.host)));
    for (const host of hosts) {
      const holder = holders.get(host);
      if (holder === undefined) holders.set(host, one);
      else diagnostics.push(givesWay(one, holder, host));
    }
  }
  return { of: (host) => (holders.size === 0 ? undefined : holders.get(hostKey(host))?.hostWide), diagnostics };
}

function givesWay(one: Translated, holder: Translated, host: string): Diagnostic {
  const features = [...Object.keys(one.hostWide.policies), ...(one.hostWide.closed?.features ?? [])].join(', ');
  const message = `What this object says for all of ${host} (${features}) has no effect: the older ${originName(objectOrigin(holder.ingress))} decides for that host.`;
  return diagnostic('AnnotationIgnored', objectOrigin(one.ingress), message);
}
