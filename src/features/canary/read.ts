import type { CanaryCondition, CanaryMatch, CanaryRule } from '../../model/model.ts';
import type { ReadContext } from '../contract/reader.ts';

export interface HeaderValues {
  readonly header?: string;
  readonly headerValue?: string;
  readonly headerPattern?: string;
}

export interface WeightValues {
  readonly weight?: number;
  readonly total?: number;
}

/** Value and pattern of one criterion: the pattern wins. `plain` is the match when neither is given. */
export function matchOf(
  given: { readonly value?: string | undefined; readonly pattern?: string | undefined },
  plain: CanaryMatch,
): CanaryMatch {
  if (given.pattern !== undefined) return { type: 'pattern', pattern: given.pattern };
  return given.value === undefined ? plain : { type: 'value', value: given.value };
}

/** Value and pattern need the key that names what they compare; of the two the pattern counts. */
export function reportUnused(
  base: string,
  values: { readonly base: unknown; readonly value: unknown; readonly pattern: unknown },
  keys: { readonly value: string; readonly pattern: string; readonly name: string },
  context: ReadContext,
): void {
  if (values.base === undefined) {
    for (const key of [keys.value, keys.pattern]) {
      if (context.given(key))
        context.report('AnnotationIgnored', key, `This key has no effect without \`${keys.name}\`.`, `Set ${keys.name}.`);
    }
    return;
  }
  if (values.value !== undefined && values.pattern !== undefined) {
    context.report(
      'AnnotationIgnored',
      keys.value,
      `\`${keys.name}-value\` has no effect beside \`${keys.name}-pattern\`, which wins.`,
      `Keep one of the two on ${base}.`,
    );
  }
}

/** The header rule of ingress-nginx, where `-` and `_` in a header's name are the same. */
export function headerNameRules(values: HeaderValues, context: ReadContext): readonly CanaryCondition[] {
  const { header, headerValue, headerPattern } = values;
  const keys = { value: 'headerValue', pattern: 'headerPattern', name: 'canary-by-header' };
  reportUnused('the header', { base: header, value: headerValue, pattern: headerPattern }, keys, context);
  if (header === undefined) return [];
  const match = matchOf({ value: headerValue, pattern: headerPattern }, { type: 'always-never' });
  const name = header.toLowerCase();
  const names = [...new Set([name, name.replaceAll('_', '-')])];
  return names.map((one) => ({ on: 'header', name: one, match }));
}

/** Weight and total with their defaults; a weight above the total is the total. */
export function shareOf(
  { weight = 0, total = 100 }: WeightValues,
  context: ReadContext,
): { readonly weight: number; readonly total: number } {
  if (weight <= total) return { weight, total };
  context.report(
    'AnnotationAdjusted',
    'weight',
    `\`canary-weight\` is ${weight}, more than the total of ${total}; every request that no rule decides goes to the canary.`,
    `Write a weight from 0 to ${total}.`,
  );
  return { weight: total, total };
}

export function warnInert(policy: { readonly rules: readonly CanaryRule[]; readonly weight: number }, context: ReadContext): void {
  if (policy.rules.length > 0 || policy.weight > 0) return;
  context.report('CanaryInert', 'canary', 'This canary has weight 0 and no rule, so no request reaches it.');
}
