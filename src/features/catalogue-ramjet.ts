import type { CatalogueRow } from './catalogue-row.ts';

/** Keys of the ramjet vocabulary that no feature declares yet. */
// biome-ignore format: a table, one key a line
export const RAMJET_CATALOGUE: readonly CatalogueRow[] = [
  { feature: 'mirror', name: 'mirror-backend', value: '[namespace/]service:port', default: 'none', summary: 'Sends a copy of the requests to another Service.', status: { is: 'pending' } },
  { feature: 'mirror', name: 'mirror-percent', value: '0 to 100', default: '100', summary: 'Share of the requests that is copied.', status: { is: 'pending' } },
  { feature: 'mirror', name: 'mirror-host', value: 'host name', default: 'the original', summary: 'Host of the copies.', status: { is: 'pending' } },
  { feature: 'promotion', name: 'auto-promote', value: 'boolean', default: 'false', summary: 'Raises the weight of the canary on evidence.', status: { is: 'pending' } },
  { feature: 'promotion', name: 'auto-promote-interval', value: 'duration', default: '60s', summary: 'Time between two decisions.', status: { is: 'pending' } },
  { feature: 'promotion', name: 'auto-promote-steps', value: 'percents', default: '5,10,25,50,100', summary: 'The ladder of weights.', status: { is: 'pending' } },
  { feature: 'promotion', name: 'auto-promote-max-5xx-percent', value: 'percent', default: '1', summary: 'Errors that a canary may have.', status: { is: 'pending' } },
  { feature: 'promotion', name: 'auto-promote-max-latency-factor', value: 'factor', default: '1.5', summary: 'How much slower than production a canary may be.', status: { is: 'pending' } },
  { feature: 'promotion', name: 'auto-promote-min-requests', value: 'count', default: '50', summary: 'Requests that a decision needs.', status: { is: 'pending' } },
  { feature: 'promotion', name: 'auto-promote-status', value: 'text', default: 'none', summary: 'Latch of the promotion: promoted or rolled back.', status: { is: 'pending' } },
  { feature: 'status', name: 'observed-generation', value: 'number', default: 'none', summary: 'Written by the controller: the generation in which it compiled the object.', status: { is: 'no-op', why: 'the controller writes it and never reads it' } },
  { feature: 'endpoints', name: 'endpoints', value: 'host:port, comma separated', default: 'none', summary: 'On a Service: endpoints for a folder of YAML without slices.' },
];
