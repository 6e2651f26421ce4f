import { PARTS } from '../features/parts.generated.ts';
import { readLua } from './files/write.ts';
import type { Driver } from './plan/build.ts';

/** The parts of all features with their Lua sources, ready for a planner. */
export async function driverOf(): Promise<Driver> {
  const routeParts = PARTS.filter((part) => part.level === 'route');
  const backendParts = PARTS.filter((part) => part.level === 'backend');
  const urls = [new URL('./lua/routing.lua', import.meta.url), ...routeParts.flatMap((part) => part.lua ?? [])];
  return { routeParts, backendParts, lua: await readLua(urls) };
}
