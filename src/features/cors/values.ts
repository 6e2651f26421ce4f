import { quote } from '../../diagnostics/diagnostic.ts';
import { type Parsed, type Parser, parsed, problem } from '../contract/key.ts';
import { headerName } from '../values/http.ts';

const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/(\*\.)?[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*(:[0-9]{1,5})?$/;
const MAX_ORIGINS = 500;

/** Origins in lower case; `*` for all of them. Bad items are left out and named; a list of bad items alone is a problem. */
export function originList(text: string): Parsed<'*' | readonly string[]> {
  const items = text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  if (items.length === 0 || items.includes('*')) return parsed('*');
  if (items.length > MAX_ORIGINS) return problem(`names more than ${MAX_ORIGINS} origins`);
  const good = items.map((item) => item.toLowerCase()).filter(isOrigin);
  const bad = items.filter((item) => !isOrigin(item.toLowerCase()));
  if (good.length === 0) return problem('names no origin', 'Write origins with their scheme, such as "https://shop.example".');
  const note =
    bad.length === 0
      ? undefined
      : `holds ${bad
          .slice(0, 3)
          .map((item) => quote(item))
          .join(', ')}${bad.length > 3 ? ' and others' : ''}, which is no origin and is left out`;
  return parsed([...new Set(good)], note);
}

function isOrigin(item: string): boolean {
  return item === 'null' || (item.length <= 300 && ORIGIN.test(item));
}

/** Names separated by commas or blanks, kept as they were written. `star`: `*` is allowed among them. */
export function nameList(kind: 'methods' | 'headers', options: { readonly star: boolean }): Parser<string> {
  return (text) => {
    const value = text.trim();
    const items = value.split(/[, ]+/).filter((item) => item !== '');
    if (items.length === 0) return problem('names nothing');
    if (value.length > 400) return problem('is longer than 400 characters');
    const bad = items.find((item) =>
      item === '*' ? !options.star : !(kind === 'methods' ? /^[A-Za-z-]+$/.test(item) : headerName(item).ok),
    );
    if (bad === undefined) return parsed(value);
    return problem(`holds ${quote(bad)}, which is no ${kind === 'methods' ? 'method' : 'header name'}`);
  };
}
