import { decide } from '../../src/model/decide.ts';
import type { HostMatch, Model, PathMatch, Route } from '../../src/model/model.ts';

export interface SampleRequest {
  readonly host: string;
  readonly path: string;
}

/** A request that takes a route: none where a host or path that matches could not be made up. */
export function requestsOf(route: Route, model: Model): readonly SampleRequest[] {
  const samples = hostSamples(route.host).flatMap((host) => pathSamples(route.path).map((path) => ({ host, path })));
  const taken = samples.find((sample) => decide(model, { ...sample, query: '', headers: [] }).route === route);
  return taken === undefined ? [] : [taken];
}

function hostSamples(host: HostMatch): readonly string[] {
  switch (host.type) {
    case 'exact':
      return [host.name];
    case 'wildcard':
      return [`any.${host.suffix}`];
    case 'regex':
      return patternSamples(host.pattern);
    case 'any':
      return ['nobody.invalid'];
  }
}

/** A longer path, too: another route may hold the path itself. */
function pathSamples(path: PathMatch): readonly string[] {
  if (path.type === 'regex') return patternSamples(path.pattern).filter((sample) => sample.startsWith('/'));
  const written = path.path.replaceAll(/[^\x21-\x7e]/g, encodeURIComponent);
  return path.type === 'exact' ? [written] : [written === '' ? '/' : written, `${written.replace(/\/$/, '')}/more`];
}

/** Texts that a simple pattern may match; whether one does is for others to say. */
function patternSamples(pattern: string): readonly string[] {
  const bare = pattern
    .replace(/^\^/, '')
    .replace(/\$$/, '')
    .replaceAll(/\(\?[:i]*\)?/g, '(')
    .replaceAll(/\(\?P?<\w+>/g, '(');
  const filled = ['a', '1', 'A', ''].map((fill) =>
    bare
      .replaceAll(/(?:\[[^\]]*\]|\\[dw])\{(\d+)[^}]*\}/g, (_, count: string) => fill.repeat(Number(count)))
      .replaceAll(/\[[^\]]*\][*+?]?|\\[dwsDWS][*+?]?|\.[*+]\??/g, fill)
      .replaceAll(/\\(.)/g, '$1'),
  );
  return [...new Set(filled.flatMap(withoutGroups))];
}

/** Each group by its first, and by its last alternative. */
function withoutGroups(text: string): readonly string[] {
  const choose = (index: number) => {
    let left = text;
    for (let before = ''; before !== left; ) {
      before = left;
      left = left.replaceAll(/\(([^()]*)\)[*+?]?/g, (_, inner: string) => inner.split('|').at(index) ?? '');
    }
    return left.replaceAll(/[$^?*+]/g, '');
  };
  return [choose(0), choose(-1)];
}
