import type { RouteDraft } from '../contract/feature.ts';
import type { PathMatch } from '../../model/model.ts';
import { LITERAL } from './location.ts';
import type { HttpsRedirectPolicy, Redirect, RedirectCode, RedirectsPolicy } from './policy.ts';

export function shapeHttps(policy: HttpsRedirectPolicy, draft: RouteDraft): readonly RouteDraft[] {
  if (policy.when === 'always' || draft.tls) return [draft];
  const { 'https-redirect': _dropped, ...policies } = draft.policies;
  return [{ ...draft, policies }];
}

/** The route keeps what concerns all its requests; the other redirects become routes of their own, which give way to written ones. */
export function shapeRedirects(policy: RedirectsPolicy, draft: RouteDraft): readonly RouteDraft[] {
  const { redirects: _dropped, ...others } = draft.policies;
  const isRoot = draft.path.type === 'exact' && draft.path.path === '/';
  const own = isRoot ? (policy.root ?? policy.all) : policy.all;
  const first: RouteDraft = { ...draft, policies: own === undefined ? others : { ...others, redirects: { all: own } } };
  return [first, ...rootDraft(policy.root, first), ...missingDraft(policy.missing, first), ...wwwDraft(policy.www, draft)];
}

/** An exact `/` stands before every other path that could take the request. */
function rootDraft(root: Redirect | undefined, draft: RouteDraft): readonly RouteDraft[] {
  if (root === undefined) return [];
  return [derive(draft, { type: 'exact', path: '/' }, { ...draft.policies, redirects: { all: root } })];
}

function missingDraft(missing: Redirect | undefined, draft: RouteDraft): readonly RouteDraft[] {
  if (missing === undefined) return [];
  return [derive(draft, { type: 'segments', path: '' }, { ...draft.policies, redirects: { all: missing } })];
}

function wwwDraft(code: RedirectCode | undefined, draft: RouteDraft): readonly RouteDraft[] {
  if (code === undefined || draft.host.type !== 'exact') return [];
  const { name } = draft.host;
  const fromApex = name.startsWith('www.');
  const other = fromApex ? name.slice(4) : `www.${name}`;
  if (!other.includes('.')) return [];
  const https = draft.policies['https-redirect'];
  const location = https
    ? { ...LITERAL, before: `https://${name}${portText(https)}`, tail: 'uri' as const }
    : {
        ...LITERAL,
        scheme: true,
        middle: fromApex ? '://www.' : '://',
        host: fromApex ? ('header' as const) : ('apex' as const),
        tail: 'uri' as const,
      };
  const route = derive(draft, { type: 'segments', path: '' }, { redirects: { all: { location, code } } });
  return [{ ...route, host: { type: 'exact', name: other } }];
}

function derive(draft: RouteDraft, path: PathMatch, policies: RouteDraft['policies']): RouteDraft {
  return { ...draft, path, pathText: '/', pathType: path.type === 'exact' ? 'Exact' : 'Prefix', policies, derived: true };
}

/** `:8443`, or nothing for the standard port. */
export function portText(policy: HttpsRedirectPolicy): string {
  return policy.port === 443 && !policy.writePort ? '' : `:${policy.port}`;
}
