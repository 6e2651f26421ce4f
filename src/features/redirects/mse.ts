import { type Parser, key, parsed } from '../contract/key.ts';
import { reader } from '../contract/reader.ts';
import { redirectCode } from './codes.ts';
import { location, rootPath } from './location.ts';
import { appRoot, defaultHttps, firstRedirect, force, permanentCode, reportUseless, ssl } from './nginx.ts';
import type { HttpsRedirectPolicy, LocationTemplate, RedirectsPolicy } from './policy.ts';

/** Under MSE the two keys are synonyms, need no TLS section, and are off unless written. */
export const mseHttps = reader({
  dialect: 'mse',
  keys: { ssl, force },
  toPolicy(values, { settings }): HttpsRedirectPolicy | undefined {
    if (!values.ssl && !values.force) return undefined;
    return { ...defaultHttps(settings), when: 'always', trailingSlash: 'keep' };
  },
});

/** The path of the URL replaces the request's, and without one the request's is kept; the request's query is kept in any case. */
const mseUrl: Parser<LocationTemplate> = (text) => {
  const outcome = location({ paths: false, variables: false })(text);
  if (!outcome.ok) return outcome;
  const [bare = ''] = outcome.value.before.split(/[?#]/);
  const hasPath = /^https?:\/\/[^/]+\//.test(bare);
  const note = bare === outcome.value.before ? undefined : 'has a query or fragment, which is dropped for the query of the request';
  return parsed({ ...outcome.value, before: bare, tail: hasPath ? 'query' : 'uri' }, note);
};

const url = {
  parse: mseUrl,
  onInvalid: 'default',
  scope: 'ingress',
  value: 'URL',
  default: 'none',
} as const;

const permanent = key({
  ...url,
  name: 'permanent-redirect',
  summary: 'Redirect every request of the paths to this host, with status 301; the query is kept, and the path unless the URL has one.',
});
const temporal = key({ ...url, name: 'temporal-redirect', summary: 'As `permanent-redirect` with status 302; wins over it.' });
const mseCode = key({ ...permanentCode, parse: redirectCode(301) });

const mseRoot: Parser<LocationTemplate> = (text) => {
  const outcome = rootPath(text);
  return outcome.ok && !/[?#]/.test(outcome.value.before) ? parsed({ ...outcome.value, tail: 'query' }) : outcome;
};

export const mseRedirects = reader({
  dialect: 'mse',
  keys: { permanent, permanentCode: mseCode, temporal, appRoot: key({ ...appRoot, parse: mseRoot }) },
  toPolicy(values, context): RedirectsPolicy | undefined {
    reportUseless(context, 'permanentCode', 'permanent');
    const all = firstRedirect([values.temporal, 302], [values.permanent, values.permanentCode ?? 301]);
    if (all === undefined && values.appRoot === undefined) return undefined;
    return { ...(all ? { all } : {}), ...(values.appRoot ? { root: { location: values.appRoot, code: 302 } } : {}) };
  },
});
