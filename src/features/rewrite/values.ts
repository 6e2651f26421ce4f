import { type Parsed, parsed, problem } from '../contract/key.ts';
import { regexProblem } from '../values/regex.ts';
import type { PathRewrite, Template } from './policy.ts';

const LONGEST = 2_048;

/** ingress-nginx's `rewrite-target`: URL characters and `$1` to `$9`; a path, or a URL to be sent to. */
export function nginxTarget(text: string): Parsed<Template> {
  const target = text.trim();
  const refusal = templateProblem(target);
  if (refusal !== undefined) return problem(refusal);
  if (/^[a-z0-9]+:\/\//i.test(target) || /^https?:/i.test(target))
    return /^https?:\/\/[^/]/i.test(target) ? parsed(target) : problem('is not an http or https URL');
  return /^[/$]/.test(target) ? parsed(target) : parsed(`/${target}`, 'does not begin with `/`; one is put in front');
}

export function nginxPrefix(text: string): Parsed<Template> {
  const refusal = templateProblem(text.trim());
  return refusal === undefined ? parsed(text.trim()) : problem(refusal);
}

function templateProblem(text: string): string | undefined {
  if (text === '') return 'is empty';
  if (text.length > LONGEST) return `is longer than ${LONGEST.toLocaleString('en')} characters`;
  if (/\$(?![1-9])/.test(text)) return 'has a `$` that is not followed by 1 to 9: only groups of the path can be named';
  return /^[A-Za-z0-9$._~/:-]+$/.test(text) ? undefined : 'holds characters other than letters, digits, `-._~/:` and `$`';
}

/** HAPTIC's `path-rewrite`: a pattern and what its match makes of the path, or one text for every path. */
export function hapticRewrite(text: string): Parsed<PathRewrite> {
  const words = text.trim().split(/[ \t]+/);
  const [first = '', second] = words;
  if (words.length > 2) return problem('has more than two words', 'Write a regular expression and a path, such as "^/api/(.*) /\\1".');
  if (first === '') return problem('is empty');
  const to = hapticTemplate(second ?? first);
  if (!to.ok) return to;
  // HAProxy is then told to replace `(.*)`.
  if (second === undefined)
    return parsed(highestGroup(to.value) === 0 ? { type: 'whole', to: to.value } : { type: 'match', pattern: '(.*)', to: to.value });
  const refusal = regexProblem(first);
  return refusal === undefined ? parsed({ type: 'match', pattern: first, to: to.value }) : problem(`holds a pattern that ${refusal}`);
}

/** HAProxy's `\1` for a group becomes `$1`. */
function hapticTemplate(text: string): Parsed<Template> {
  if (text.length > LONGEST) return problem(`is longer than ${LONGEST.toLocaleString('en')} characters`);
  if (text.includes('$')) return problem('holds a `$`', 'Write `\\1` for the first group.');
  if (/\\(?![1-9])/.test(text)) return problem('has a `\\` that is not followed by 1 to 9');
  if (/%(?![0-9A-Fa-f]{2})/.test(text))
    return problem('has a `%` that is not the start of an escape: HAProxy’s expressions are not evaluated');
  if (!/^[/\\]/.test(text)) return problem('does not begin with `/`');
  if (!/^[A-Za-z0-9\\._~/:@!&'()*+,;=%-]+$/.test(text)) return problem('holds characters that no path may hold');
  return parsed(text.replaceAll('\\', '$'));
}

/** HAPTIC's X-Forwarded-Prefix is sent as it is. */
export function plainPrefix(text: string): Parsed<string> {
  const value = text.trim();
  if (value === '') return problem('is empty');
  if (value.length > LONGEST) return problem(`is longer than ${LONGEST.toLocaleString('en')} characters`);
  return /^[A-Za-z0-9._~/:@!&'()*+,;=%-]+$/.test(value) ? parsed(value) : problem('holds characters that no path may hold');
}

/** The largest group that a template names; 0: none. */
export function highestGroup(template: Template): number {
  return Math.max(0, ...[...template.matchAll(/\$([1-9])/g)].map(([, digit]) => Number(digit)));
}
