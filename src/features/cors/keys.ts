import { key } from '../contract/key.ts';
import type { ReadContext } from '../contract/reader.ts';
import { bool, integer } from '../values/basic.ts';
import type { AllowedOrigins, CorsPolicy, RequestedValue } from './policy.ts';
import { nameList, originList } from './values.ts';

const METHODS = 'GET, PUT, POST, DELETE, PATCH, OPTIONS';
export const HEADERS = 'DNT,Keep-Alive,User-Agent,X-Requested-With,If-Modified-Since,Cache-Control,Content-Type,Range,Authorization';

const ingress = { scope: 'ingress', onInvalid: 'default' } as const;

export interface CorsSpelling {
  readonly enable: string;
  readonly credentials: boolean;
  readonly maxAge: number;
  readonly minAge: number;
  readonly headers: string;
  /** `*` is allowed for methods and headers. */
  readonly star: boolean;
}

/** The keys of every dialect; they differ in one name and in defaults. */
export function corsKeys(spelling: CorsSpelling) {
  return {
    enable: key({
      ...ingress,
      name: spelling.enable,
      parse: bool,
      value: 'true or false',
      default: 'false',
      summary: 'Let pages of other sites call these paths.',
    }),
    origin: key({
      name: 'cors-allow-origin',
      parse: originList,
      onInvalid: 'skip',
      scope: 'ingress',
      value: 'origins, comma separated; `*`, or `*.` for one label',
      default: '*',
      summary: 'Sites whose pages may call these paths.',
      difference:
        'An origin must match from its first to its last character. A value without any usable origin allows nobody, never everybody.',
    }),
    methods: key({
      ...ingress,
      name: 'cors-allow-methods',
      parse: nameList('methods', spelling),
      value: 'methods, comma separated',
      default: METHODS,
      summary: 'Methods such pages may use.',
    }),
    headers: key({
      ...ingress,
      name: 'cors-allow-headers',
      parse: nameList('headers', spelling),
      value: 'header names, comma separated',
      default: spelling.headers,
      summary: 'Request headers such pages may set.',
    }),
    expose: key({
      ...ingress,
      name: 'cors-expose-headers',
      parse: nameList('headers', { star: true }),
      value: 'header names, comma separated, or `*`',
      default: 'none',
      summary: 'Headers of the answer such pages may read.',
    }),
    credentials: key({
      ...ingress,
      name: 'cors-allow-credentials',
      parse: bool,
      value: 'true or false',
      default: String(spelling.credentials),
      summary: 'Let such pages send cookies and passwords.',
      difference: '`false` also removes the header that the application sent.',
    }),
    maxAge: key({
      ...ingress,
      name: 'cors-max-age',
      parse: integer({ min: spelling.minAge, max: 2_147_483_647 }),
      value: 'seconds',
      default: String(spelling.maxAge),
      summary: 'How long a browser may remember the answer to a preflight.',
    }),
  };
}

interface CorsValues {
  readonly enable?: boolean;
  readonly origin?: '*' | readonly string[];
  readonly methods?: string;
  readonly headers?: string;
  readonly expose?: string;
  readonly credentials?: boolean;
  readonly maxAge?: number;
}

interface CorsMeaning {
  readonly everybody: 'star' | 'any';
  readonly deep: boolean;
  readonly preflight: CorsPolicy['preflight'];
}

export function corsPolicy(values: CorsValues, spelling: CorsSpelling, meaning: CorsMeaning, context: ReadContext): CorsPolicy | undefined {
  if (!values.enable) {
    reportIdle(spelling, context);
    return undefined;
  }
  return {
    origins: allowedOrigins(values.origin ?? '*', meaning),
    methods: requestedOr(values.methods ?? METHODS),
    headers: requestedOr(values.headers ?? spelling.headers),
    ...(values.expose === undefined ? {} : { expose: values.expose }),
    credentials: values.credentials ?? spelling.credentials,
    maxAge: values.maxAge ?? spelling.maxAge,
    preflight: meaning.preflight,
  };
}

function allowedOrigins(origins: '*' | readonly string[], meaning: CorsMeaning): AllowedOrigins {
  return origins === '*' ? { type: meaning.everybody } : { type: 'listed', origins, deep: meaning.deep };
}

function requestedOr(value: string): string | RequestedValue {
  return value === '*' ? { requested: true } : value;
}

/** Settings of CORS where CORS is not turned on: once for the object, at the first of them. */
function reportIdle(spelling: CorsSpelling, context: ReadContext): void {
  if (context.given('enable')) return;
  const first = ['origin', 'methods', 'headers', 'expose', 'credentials', 'maxAge'].find((name) => context.given(name));
  if (first !== undefined)
    context.report(
      'AnnotationIgnored',
      first,
      `CORS is not turned on for this object: \`${spelling.enable}\` is missing.`,
      `Set ${spelling.enable} to "true".`,
    );
}
