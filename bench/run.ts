import { parseArgs } from 'node:util';
import { changeLatency } from './change-latency.ts';
import { disruption } from './disruption.ts';
import { featureCost } from './feature-cost.ts';
import type { BenchOptions } from './lib/options.ts';
import { requestCost } from './request-cost.ts';
import { startup } from './startup.ts';

const GROUPS = { 'request-cost': requestCost, 'feature-cost': featureCost, 'change-latency': changeLatency, disruption, startup } as const;

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string' }, rounds: { type: 'string' } },
});
const options: BenchOptions = { quick: values.quick, rounds: Number(values.rounds ?? 5) };
for (const [name, group] of Object.entries(GROUPS)) {
  if (values.only !== undefined && values.only !== name) continue;
  // In a quick run of everything the cost of single features is left out.
  if (values.quick && values.only === undefined && name === 'feature-cost') continue;
  await group(options);
}
process.exit(0);
