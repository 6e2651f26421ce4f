import type { CanaryCondition, CanaryMatch, CanaryRule } from '../../model/model.ts';
import type { CanaryPolicy } from '../contract/feature.ts';
import { key, type Parsed, parsed, problem, type ValuesOf } from '../contract/key.ts';
import { type ReadContext, reader } from '../contract/reader.ts';
import { printable } from '../values/basic.ts';
import { nginxKeys, reportWithoutCanary } from './nginx.ts';
import { matchOf, reportUnused, shareOf, warnInert } from './read.ts';
import { pattern } from './values.ts';

const common = { onInvalid: 'default', scope: 'ingress' } as const;

function queryName(text: string): Parsed<string> {
  const name = printable(128)(text);
  return name.ok && /[&=#]/.test(name.value) ? problem('is not the name of a query parameter') : name.ok ? parsed(name.value) : name;
}

const mseKeys = {
  ...nginxKeys,
  query: key({
    ...common,
    name: 'canary-by-query',
    parse: queryName,
    value: 'parameter name',
    default: 'none',
    summary: 'Requests whose query parameter is `always` go to the canary.',
  }),
  queryValue: key({
    ...common,
    name: 'canary-by-query-value',
    parse: printable(1_024),
    value: 'text',
    default: 'none',
    summary: 'Requests whose query parameter equals this text go to the canary.',
    difference: 'The parameter is compared decoded, so that `%61lways` is `always`; MSE compares the raw text.',
  }),
  queryPattern: key({
    ...common,
    name: 'canary-by-query-pattern',
    parse: pattern,
    value: 'regular expression',
    default: 'none',
    summary: 'Requests whose query parameter matches this pattern go to the canary.',
  }),
  cookieValue: key({
    ...common,
    name: 'canary-by-cookie-value',
    parse: printable(1_024),
    value: 'text',
    default: 'none',
    summary: 'Requests whose cookie equals this text go to the canary.',
  }),
} as const;

type Values = ValuesOf<typeof mseKeys>;

/** In MSE only `always` decides; `never` is a value like any other. */
const ALWAYS: CanaryMatch = { type: 'value', value: 'always' };

/** One canary has one method: header and query (both must hold), else cookie, else weight. */
export const mse = reader({
  dialect: 'mse',
  keys: mseKeys,
  toPolicy(values, context): CanaryPolicy | undefined {
    if (values.canary !== true) return reportWithoutCanary(Object.keys(mseKeys), context);
    const policy = methodOf(values, context);
    warnInert(policy, context);
    return { ...policy, sessions: values.sessions ?? 'sticky' };
  },
});

function methodOf(values: Values, context: ReadContext): Omit<CanaryPolicy, 'sessions'> {
  reportUnused(
    'the header',
    { base: values.header, value: values.headerValue, pattern: values.headerPattern },
    { value: 'headerValue', pattern: 'headerPattern', name: 'canary-by-header' },
    context,
  );
  reportUnused(
    'the query',
    { base: values.query, value: values.queryValue, pattern: values.queryPattern },
    { value: 'queryValue', pattern: 'queryPattern', name: 'canary-by-query' },
    context,
  );
  if (context.given('header') || context.given('query')) {
    reportPassedOver(['cookie', 'cookieValue', 'weight', 'total'], 'a header or query rule', context);
    return { rules: conditionRules(values, context), weight: 0, total: values.total ?? 100 };
  }
  if (context.given('cookie')) {
    reportPassedOver(['weight', 'total'], 'a cookie rule', context);
    const rule =
      values.cookie !== undefined && good(['cookieValue'], values, context)
        ? [{ on: 'cookie', name: values.cookie, match: matchOf({ value: values.cookieValue }, ALWAYS) } as const]
        : [];
    return { rules: rule, weight: 0, total: values.total ?? 100 };
  }
  reportUnused(
    'the cookie',
    { base: values.cookie, value: values.cookieValue, pattern: undefined },
    { value: 'cookieValue', pattern: '', name: 'canary-by-cookie' },
    context,
  );
  return { rules: [], ...shareOf(values, context) };
}

/** A condition that can't be read must not leave the others to decide alone: the rule would match too much. */
function conditionRules(values: Values, context: ReadContext): readonly CanaryRule[] {
  if (!good(['header', 'headerValue', 'headerPattern', 'query', 'queryValue', 'queryPattern'], values, context)) return [];
  const rules: CanaryCondition[] = [];
  if (values.header !== undefined)
    rules.push({
      on: 'header',
      name: values.header.toLowerCase(),
      match: matchOf({ value: values.headerValue, pattern: values.headerPattern }, ALWAYS),
    });
  if (values.query !== undefined)
    rules.push({ on: 'query', name: values.query, match: matchOf({ value: values.queryValue, pattern: values.queryPattern }, ALWAYS) });
  return rules.length > 1 ? [{ on: 'all', rules }] : rules;
}

/** Every key that was given could be read. */
function good(names: readonly (keyof Values)[], values: Values, context: ReadContext): boolean {
  return names.every((name) => !context.given(name) || values[name] !== undefined);
}

function reportPassedOver(names: readonly string[], by: string, context: ReadContext): void {
  for (const name of names) {
    if (context.given(name))
      context.report(
        'AnnotationIgnored',
        name,
        `This key has no effect beside ${by} of the same object, as in MSE.`,
        'Put it on a canary Ingress of its own.',
      );
  }
}
