import type { CanaryMatch, CanaryRule } from '../../model/model.ts';
import type { CanaryPolicy } from '../contract/feature.ts';
import { key } from '../contract/key.ts';
import { reader } from '../contract/reader.ts';
import { bool, printable } from '../values/basic.ts';
import { cookieName, headerName } from '../values/http.ts';
import { reportWithoutCanary } from './nginx.ts';
import { matchOf, reportUnused, shareOf, warnInert } from './read.ts';
import { pattern, percent } from './values.ts';

const common = { onInvalid: 'default', scope: 'ingress' } as const;

const keys = {
  canary: key({
    ...common,
    name: 'canary',
    parse: bool,
    value: 'true or false',
    default: 'false',
    summary: 'Makes the object a canary of the routes with its host and path.',
    difference: 'Every path of the object attaches to the production path equal to it; a canary without production gets no request.',
  }),
  header: key({
    ...common,
    name: 'canary-by-header',
    parse: headerName,
    value: 'header name',
    default: 'none',
    summary: 'Requests whose header is `always` go to the canary.',
  }),
  headerValue: key({
    ...common,
    name: 'canary-by-header-value',
    parse: printable(1_024),
    value: 'text',
    default: 'always',
    summary: 'Requests whose header equals this text go to the canary.',
  }),
  headerPattern: key({
    ...common,
    name: 'canary-by-header-pattern',
    parse: pattern,
    value: 'regular expression',
    default: 'none',
    summary: 'Requests whose header matches this pattern go to the canary.',
  }),
  cookie: key({
    ...common,
    name: 'canary-by-cookie',
    parse: cookieName,
    value: 'cookie name',
    default: 'none',
    summary: 'Requests whose cookie is `always` go to the canary.',
  }),
  weight: key({
    ...common,
    name: 'canary-weight',
    parse: percent,
    value: '0 to 100',
    default: '0',
    summary: 'Percent of the requests that no rule decided.',
  }),
} as const;

const ALWAYS: CanaryMatch = { type: 'value', value: 'always' };

export const haptic = reader({
  dialect: 'haptic',
  keys,
  toPolicy(values, context): CanaryPolicy | undefined {
    if (values.canary !== true) return reportWithoutCanary(Object.keys(keys), context);
    reportUnused(
      'the header',
      { base: values.header, value: values.headerValue, pattern: values.headerPattern },
      { value: 'headerValue', pattern: 'headerPattern', name: 'canary-by-header' },
      context,
    );
    const rules: CanaryRule[] = [];
    if (values.header !== undefined)
      rules.push({
        on: 'header',
        name: values.header.toLowerCase(),
        match: matchOf({ value: values.headerValue, pattern: values.headerPattern }, ALWAYS),
      });
    if (values.cookie !== undefined) rules.push({ on: 'cookie', name: values.cookie, match: ALWAYS });
    const share = shareOf({ ...(values.weight === undefined ? {} : { weight: values.weight }) }, context);
    warnInert({ rules, weight: share.weight }, context);
    return { rules, ...share, sessions: 'sticky' };
  },
});
