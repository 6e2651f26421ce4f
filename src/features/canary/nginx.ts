import type { CanaryRule } from '../../model/model.ts';
import type { CanaryPolicy } from '../contract/feature.ts';
import { key } from '../contract/key.ts';
import { type ReadContext, reader } from '../contract/reader.ts';
import { bool, choice, printable } from '../values/basic.ts';
import { cookieName, headerName } from '../values/http.ts';
import { headerNameRules, shareOf, warnInert } from './read.ts';
import { pattern, total, weight } from './values.ts';

export const nginxKeys = {
  canary: key({
    name: 'canary',
    parse: bool,
    onInvalid: 'default',
    scope: 'ingress',
    value: 'true or false',
    default: 'false',
    summary: 'Makes the object a canary: its paths take a share of the requests of other objects’ equal paths and get none of their own.',
    difference:
      'It attaches to its own host and path only, not to every route that shares the production Service; several canaries on one route all count.',
  }),
  header: key({
    name: 'canary-by-header',
    parse: headerName,
    onInvalid: 'default',
    scope: 'ingress',
    value: 'header name',
    default: 'none',
    summary: 'Requests whose header is `always` go to the canary, `never` to production; other values leave it to the next rule.',
  }),
  headerValue: key({
    name: 'canary-by-header-value',
    parse: printable(1_024),
    onInvalid: 'default',
    scope: 'ingress',
    value: 'text',
    default: 'none',
    summary: 'Requests whose header equals this text go to the canary; `always` and `never` lose their meaning.',
  }),
  headerPattern: key({
    name: 'canary-by-header-pattern',
    parse: pattern,
    onInvalid: 'default',
    scope: 'ingress',
    value: 'regular expression, found anywhere in the value',
    default: 'none',
    summary: 'Requests whose header matches this pattern go to the canary.',
    difference: 'It wins over canary-by-header-value; ingress-nginx prefers the value.',
  }),
  cookie: key({
    name: 'canary-by-cookie',
    parse: cookieName,
    onInvalid: 'default',
    scope: 'ingress',
    value: 'cookie name',
    default: 'none',
    summary: 'Requests whose cookie is `always` go to the canary, `never` to production; other values leave it to the weight.',
  }),
  weight: key({
    name: 'canary-weight',
    parse: weight,
    onInvalid: 'default',
    scope: 'ingress',
    value: 'whole number, 0 to the total',
    default: '0',
    summary: 'Share of the requests that no rule decided.',
    difference: 'The weights of several canaries add up and are capped at the whole; ingress-nginx uses the oldest canary only.',
  }),
  total: key({
    name: 'canary-weight-total',
    parse: total,
    onInvalid: 'default',
    scope: 'ingress',
    value: 'whole number, 1 to 1,000,000,000',
    default: '100',
    summary: 'What canary-weight is a share of.',
    difference: 'A total below 100 counts as written; ingress-nginx reads it as 100, against its documentation.',
  }),
  sessions: key({
    name: 'affinity-canary-behavior',
    parse: choice(['sticky', 'legacy']),
    onInvalid: 'default',
    scope: 'ingress',
    value: 'sticky or legacy',
    default: 'sticky',
    summary: 'Where production has cookie affinity: `sticky` keeps a session on the side it began on, `legacy` decides each request anew.',
    difference:
      'A rule (`always`, `never`, value, pattern) beats the session cookie, weight 0 lets sessions return to production, and the whole weight moves all of them.',
  }),
} as const;

export const nginx = reader({
  dialect: 'nginx',
  keys: nginxKeys,
  toPolicy(values, context): CanaryPolicy | undefined {
    if (values.canary !== true) return reportWithoutCanary(Object.keys(nginxKeys), context);
    const rules: CanaryRule[] = [...headerNameRules(values, context)];
    if (values.cookie !== undefined) rules.push({ on: 'cookie', name: values.cookie, match: { type: 'always-never' } });
    const share = shareOf(values, context);
    warnInert({ rules, weight: share.weight }, context);
    return { rules, ...share, sessions: values.sessions ?? 'sticky' };
  },
});

/** The other keys of the family on an object that is no canary: ordinary routes, and a word about it. */
export function reportWithoutCanary(names: readonly string[], context: ReadContext): undefined {
  for (const name of names) {
    if (name === 'canary' || !context.given(name)) continue;
    context.report(
      'AnnotationIgnored',
      name,
      'The canary keys have no effect without `canary: "true"`; the object is served as production.',
      'Set canary: "true", or remove them.',
    );
    return undefined;
  }
  return undefined;
}
