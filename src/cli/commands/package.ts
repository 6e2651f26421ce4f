import { readFileSync } from 'node:fs';
import type { Io } from '../io.ts';

/** The version in package.json, which an installed package has too. */
export function ownVersion(io: Io): string {
  try {
    const manifest: unknown = JSON.parse(readFileSync(new URL('./package.json', io.root), 'utf8'));
    return typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : 'unknown';
  } catch {
    // A bundle that was copied somewhere by itself still works.
    return 'unknown';
  }
}
