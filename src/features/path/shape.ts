import { quote } from '../../diagnostics/diagnostic.ts';
import type { PathMatch } from '../../model/model.ts';
import type { RouteDraft, ShapeContext } from '../contract/feature.ts';
import { looksLikeRegex, regexProblem } from '../values/regex.ts';
import type { PathPolicy } from './policy.ts';

/** Gives the route the path match that the policy asks for. */
export function shapePath(policy: PathPolicy, draft: RouteDraft, context: ShapeContext): readonly RouteDraft[] {
  const { path: _carriedOut, ...policies } = draft.policies;
  const plain = { ...draft, policies };
  switch (policy.as) {
    case 'written':
      hintAtRegex(draft, context);
      return [plain];
    case 'regex':
      // An Exact path without special characters means what it says.
      if (draft.pathType === 'Exact' && !looksLikeRegex(draft.pathText)) return [plain];
      return regexDraft(plain, policy, context);
    case 'pattern':
    case 'exact':
    case 'segments':
    case 'begin':
      if (draft.pathType !== 'ImplementationSpecific') {
        const message = `\`path-type\` has no effect on the ${draft.pathType} path ${quote(draft.pathText)}: it is for ImplementationSpecific paths.`;
        if (!isRoot(draft.pathText)) context.report('AnnotationIgnored', undefined, message);
        return [plain];
      }
      return policy.as === 'pattern' ? regexDraft(plain, policy, context) : [{ ...plain, path: plainMatch(policy.as, draft.pathText) }];
  }
}

function plainMatch(as: 'exact' | 'segments' | 'begin', text: string): PathMatch {
  const path = text === '' ? '/' : text;
  switch (as) {
    case 'exact':
      return { type: 'exact', path };
    case 'segments':
      return { type: 'segments', path: path.replace(/\/+$/, '') };
    case 'begin':
      return { type: 'prefix', path };
  }
}

function regexDraft(draft: RouteDraft, { caseSensitive }: PathPolicy, context: ShapeContext): readonly RouteDraft[] {
  const pattern = draft.pathText.replace(/^\^/, '');
  // Every path begins with "/": no expression is needed to say so.
  if (isRoot(pattern)) return [draft];
  const problem = regexProblem(pattern);
  if (problem !== undefined) {
    context.report(
      'InvalidPath',
      undefined,
      `The path ${quote(draft.pathText)} ${problem}; it is not served.`,
      'Mend the regular expression.',
    );
    return [];
  }
  return [{ ...draft, path: { type: 'regex', pattern, caseSensitive } }];
}

function isRoot(text: string): boolean {
  return text === '' || text === '/';
}

/** ingress-nginx would not read it as a regular expression either, but many authors expect it. */
function hintAtRegex({ pathText, pathType, policies }: RouteDraft, context: ShapeContext): void {
  // A rewrite may read the path as a regular expression by itself.
  if (context.isCanary || pathType === 'Exact' || !looksLikeRegex(pathText) || policies.rewrite !== undefined) return;
  const message = `The path ${quote(pathText)} looks like a regular expression and is matched as plain text.`;
  context.report(
    'LiteralPath',
    undefined,
    message,
    context.dialect === 'haptic' ? 'Set `path-type: regex` on an ImplementationSpecific path.' : undefined,
  );
}
