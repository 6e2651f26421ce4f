import { key } from '../contract/key.ts';
import { networkList, networkListOrAll, spelling } from './sources.ts';

const list = { value: 'addresses or CIDRs, comma separated', scope: 'ingress' } as const;
const whole = 'A list with a bad entry closes the routes; nothing is left out of a list.';

/** Bad values are judged in `chooseSpelling`. */
const allowSpelling = { ...list, onInvalid: 'close', default: 'everyone' } as const;

export const allow = key({
  ...allowSpelling,
  name: 'allowlist-source-range',
  parse: spelling(networkList),
  summary: 'Only these clients may use the routes; others get 403.',
});

export const oldAllow = key({
  ...allowSpelling,
  name: 'whitelist-source-range',
  parse: spelling(networkList),
  summary: 'Old spelling of `allowlist-source-range`, read where that is absent or empty.',
});

export const mseAllow = key({
  ...allowSpelling,
  name: 'whitelist-source-range',
  parse: spelling(networkListOrAll),
  summary: 'Only these clients may use the routes; others get 403. `*` is everyone.',
  difference: `MSE leaves bad entries out. ${whole}`,
});

export const deny = key({
  ...list,
  name: 'denylist-source-range',
  parse: networkList,
  onInvalid: 'close',
  default: 'nobody',
  summary: 'These clients get 403, also where an allow list names them.',
});

export const blacklist = key({
  ...list,
  name: 'blacklist-source-range',
  parse: networkList,
  onInvalid: 'close',
  default: 'nobody',
  summary: 'These clients get 403; read where neither `whitelist-source-range` nor `denylist-source-range` is set.',
  difference: `MSE leaves bad entries out. ${whole}`,
});
