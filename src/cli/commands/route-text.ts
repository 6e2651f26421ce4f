import type { CanaryCondition, CanaryRule } from '../../model/model.ts';
import type { Decision } from '../../model/decide.ts';
import type { Io } from '../io.ts';
import { painter, printable } from '../output/text.ts';
import type { BackendView, PlaceView, RouteView, ShareView } from './route-view.ts';

/** The answer of `ramjet route` for people. */
export function routeText(request: string, view: RouteView, decision: Decision, io: Io): string {
  const paint = painter(io);
  const policies = Object.keys(view.policies);
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['Path', view.path === '' ? undefined : view.path],
    ['Route', view.route === null ? undefined : placeText(view.route)],
    ['Backend', view.backend === null ? undefined : backendText(view.backend)],
    ['Canary', canaryText(view, decision)],
    ['Policies', policies.length === 0 ? undefined : policies.join(', ')],
    ['Answer', view.answer === null ? undefined : `${view.answer.status}: ${view.answer.because}`],
  ];
  const losers = view.losers.map((loser) => `  ${printable(placeText(loser))}\n    ${printable(loser.because)}\n`);
  const unevaluated = view.unevaluated.map((pattern) => `  ${printable(pattern)}\n`);
  return [
    `${paint('bold', printable(request))}\n`,
    ...rows.flatMap(([name, text]) => (text === undefined ? [] : [`  ${`${name}:`.padEnd(11)}${printable(text)}\n`])),
    ...(losers.length === 0 ? [] : ['\nLost:\n', ...losers]),
    ...(unevaluated.length === 0 ? [] : ['\nOnly HAProxy can evaluate these patterns; they count as not matching here:\n', ...unevaluated]),
  ].join('');
}

function placeText({ host, path, pathType, object, file, line }: PlaceView): string {
  const place = file === null ? '' : ` at ${file}${line === null ? '' : `:${line}`}`;
  const match = { exact: `${path} exactly`, segments: path.endsWith('/') ? path : `${path}/`, prefix: `${path}*`, regex: ` ~ ${path}` }[
    pathType
  ];
  return `${host}${match} (${object.kind} ${object.namespace}/${object.name}${place})`;
}

function backendText({ namespace, service, port, percent }: BackendView): string {
  return `${namespace}/${service}:${port}${percent === 100 ? '' : `, ${percent} %`}`;
}

function canaryText({ canary }: RouteView, { decider }: Decision): string | undefined {
  if (canary === null) return undefined;
  switch (decider.by) {
    case 'rule':
      return `${ruleText(decider.rule)} decides: ${decider.to}`;
    case 'session':
      return `the session cookie \`${decider.cookie}\` decides: ${decider.to}`;
    case 'weight':
      return `by weight: ${canary.shares.map(shareText).join(', ')}`;
    case 'nothing':
      return 'no rule holds and no weight is set: production';
  }
}

function shareText(share: ShareView): string {
  return `${share.percent} % ${share.namespace}/${share.service}:${share.port}${share.object === null ? '' : ` (${share.object.kind} ${share.object.namespace}/${share.object.name})`}`;
}

function ruleText(rule: CanaryRule): string {
  return rule.on === 'all' ? rule.rules.map(conditionText).join(' and ') : conditionText(rule);
}

function conditionText({ on, name, match }: CanaryCondition): string {
  switch (match.type) {
    case 'always-never':
      return `${on} \`${name}\` (always or never)`;
    case 'value':
      return `${on} \`${name}\` = \`${match.value}\``;
    case 'pattern':
      return `${on} \`${name}\` ~ \`${match.pattern}\``;
  }
}
