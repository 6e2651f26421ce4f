import { HAPTIC_CATALOGUE } from './catalogue-haptic.ts';
import { MSE_CATALOGUE } from './catalogue-mse.ts';
import { NGINX_CATALOGUE } from './catalogue-nginx.ts';
import { RAMJET_CATALOGUE } from './catalogue-ramjet.ts';
import type { CatalogueRow } from './catalogue-row.ts';
import type { Dialect } from './contract/dialect.ts';
import { parsed, type RegisteredKey } from './contract/key.ts';

/** Keys of the dialects that no feature declares: known by name, so that an object that uses them is told. */
export const CATALOGUE: readonly RegisteredKey[] = [
  ...NGINX_CATALOGUE.map((row) => registered('nginx', row)),
  ...MSE_CATALOGUE.map((row) => registered('mse', row)),
  ...HAPTIC_CATALOGUE.map((row) => registered('haptic', row)),
  ...RAMJET_CATALOGUE.map((row) => registered('ramjet', row)),
];

function registered(dialect: Dialect, row: CatalogueRow): RegisteredKey {
  const { feature, ...spec } = row;
  return { dialect, feature, spec: { ...spec, parse: (text) => parsed(text), onInvalid: 'default', scope: 'ingress' } };
}
