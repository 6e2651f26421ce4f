import { type Parsed, parsed, problem } from '../contract/key.ts';
import type { ReadContext } from '../contract/reader.ts';
import type { FeatureSettings } from '../contract/settings.ts';
import { commaList } from '../values/basic.ts';
import { cidr } from '../values/network.ts';
import type { AccessPolicy } from './policy.ts';

/** Longest list; beyond it a value is an accident or an attack. */
const MAX_NETWORKS = 10_000;

/** A security list is taken whole or not at all: the first bad entry refuses it. */
export function networkList(text: string): Parsed<readonly string[]> {
  if (text.trim() === '') return problem('is empty', 'Name at least one address, or remove the key.');
  const outcome = commaList(cidr)(text);
  if (!outcome.ok)
    return problem(
      'holds an entry that is not an address or network',
      'Separate addresses or CIDRs by commas, such as "10.0.0.0/8, 192.0.2.7".',
    );
  return outcome.value.length > MAX_NETWORKS ? problem(`names more than ${MAX_NETWORKS} networks`) : outcome;
}

/** MSE takes `*` for everyone. */
export function networkListOrAll(text: string): Parsed<readonly string[]> {
  return text.trim() === '*' ? parsed(['0.0.0.0/0', '::/0']) : networkList(text);
}

/** Two spellings of one key, of which the older is read only where the newer is absent or empty. */
export type Spelling = Parsed<readonly string[]> | 'empty';

/** Puts off the verdict: whether a bad value counts depends on the other spelling. */
export function spelling(list: (text: string) => Parsed<readonly string[]>): (text: string) => Parsed<Spelling> {
  return (text) => parsed(text.trim() === '' ? 'empty' : list(text));
}

/** The list that counts. Closes the routes if it is bad. The reader's table calls the spellings `allow` and `oldAllow`. */
export function chooseSpelling(
  current: Spelling | undefined,
  old: Spelling | undefined,
  context: ReadContext,
): readonly string[] | undefined {
  const useOld = (current === undefined || current === 'empty') && old !== undefined;
  const chosen = useOld ? old : current;
  if (chosen === undefined) return undefined;
  if (!useOld && old !== undefined)
    context.report('AnnotationIgnored', 'oldAllow', '`whitelist-source-range` is not read where `allowlist-source-range` is set.');
  if (chosen !== 'empty' && chosen.ok) return chosen.value;
  const problemText = chosen === 'empty' ? 'is empty' : chosen.problem;
  context.report(
    'InvalidAnnotation',
    useOld ? 'oldAllow' : 'allow',
    `\`${useOld ? 'whitelist' : 'allowlist'}-source-range\` ${problemText}; the routes are closed.`,
    chosen === 'empty' ? 'Name at least one address, or remove the key.' : chosen.hint,
  );
  context.close(503);
  return undefined;
}

/** A list that the object does not set is the settings'. */
export function withSettings(
  lists: { readonly allow: readonly string[] | undefined; readonly deny: readonly string[] | undefined },
  settings: FeatureSettings,
): AccessPolicy {
  return { allow: lists.allow ?? settings.allowlist, deny: lists.deny ?? settings.denylist };
}
