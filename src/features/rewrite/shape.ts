import { quote } from '../../diagnostics/diagnostic.ts';
import type { RouteDraft, ShapeContext } from '../contract/feature.ts';
import { groupCount, looksLikeRegex, regexProblem } from '../values/regex.ts';
import type { RewritePolicy } from './policy.ts';
import { highestGroup } from './values.ts';

/** Fits the rewrite to one route, whose path it may turn into a regular expression. */
export function shapeRewrite(policy: RewritePolicy, draft: RouteDraft, context: ShapeContext): readonly RouteDraft[] {
  const { shaping, ...shaped } = policy;
  const { path } = policy;
  if (shaping === undefined || path === undefined) return [draft];
  const { rewrite: _dropped, ...others } = draft.policies;
  // As in ingress-nginx a target equal to the path is none.
  if (path.to === draft.pathText) return [{ ...draft, policies: others }];
  const regex = regexOf(policy, draft);
  if (regex === undefined) {
    reportGroups(path.to, draft.path.type === 'regex' ? draft.path.pattern : '', draft, context);
    const keepsTail = shaping === 'mse' && path.type === 'whole' && (draft.path.type === 'segments' || draft.path.type === 'prefix');
    return [withPolicy(draft, keepsTail ? { ...shaped, path: { type: 'prefix', to: path.to } } : shaped)];
  }
  const problem = regexProblem(regex);
  if (problem !== undefined) {
    const message = `The path ${quote(draft.pathText)} ${problem}; it is not served. \`rewrite-target\` makes it a regular expression.`;
    context.report('InvalidPath', undefined, message, 'Mend the regular expression.');
    return [];
  }
  reportGroups(path.to, regex, draft, context);
  return [withPolicy({ ...draft, path: { type: 'regex', pattern: regex, caseSensitive: shaping === 'mse' } }, shaped)];
}

function withPolicy(draft: RouteDraft, rewrite: RewritePolicy): RouteDraft {
  return { ...draft, policies: { ...draft.policies, rewrite } };
}

/** The pattern that the route's path becomes; `undefined`: it stays as it is. */
function regexOf({ shaping, path }: RewritePolicy, { path: match, pathText, pathType }: RouteDraft): string | undefined {
  const text = pathText.replace(/^\^/, '');
  if (match.type === 'regex' || path === undefined || text === '' || text === '/') return undefined;
  const special = looksLikeRegex(text) || (shaping === 'mse' && text.includes('.'));
  if (special) return text;
  if (pathType === 'Exact') return undefined;
  return shaping === 'nginx' || highestGroup(path.to) > 0 ? text : undefined;
}

function reportGroups(to: string, pattern: string, draft: RouteDraft, context: ShapeContext): void {
  const highest = highestGroup(to);
  if (highest <= groupCount(pattern)) return;
  const message = `\`rewrite-target\` names $${highest}, but the path ${quote(draft.pathText)} has no such group: it stands for nothing there.`;
  context.report('AnnotationIgnored', undefined, message, 'Add the group to the path, such as "/app(/|$)(.*)".');
}
