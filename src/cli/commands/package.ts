import { readFileSync } from 'node:fs';
import type { Io } from '../io.ts';

/** The version in package.json, which an installed package has too. */
export function ownVersion(io: Io): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('./package.json', io.root), 'utf8'));
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : 'unknown';
}
