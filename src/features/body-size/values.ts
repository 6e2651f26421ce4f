import { type Parsed, parsed } from '../contract/key.ts';
import type { FeatureSettings } from '../contract/settings.ts';
import { nginxSize } from '../values/units.ts';
import type { BodySizePolicy } from './policy.ts';

/** Bytes, as nginx and HAPTIC write sizes. More than any body there is counts as no limit. */
export function bodySize(text: string): Parsed<number> {
  const outcome = nginxSize(text);
  return outcome.ok && outcome.value > Number.MAX_SAFE_INTEGER ? parsed(0, 'is larger than any body; it is read as no limit') : outcome;
}

export function policyOf(limit: number, settings: FeatureSettings): BodySizePolicy {
  return { limit, undeclared: settings.undeclaredBodies, isDefault: false };
}

export function defaultPolicy(settings: FeatureSettings): BodySizePolicy | undefined {
  return settings.bodySize === 0 ? undefined : { limit: settings.bodySize, undeclared: settings.undeclaredBodies, isDefault: true };
}
