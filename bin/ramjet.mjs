#!/usr/bin/env node
import { existsSync } from 'node:fs';

const bundle = new URL('../dist/ramjet.mjs', import.meta.url);
const builder = new URL('../tools/build.mjs', import.meta.url);

// In a checkout the bundle follows the sources; an installed package has only the bundle.
if (existsSync(builder)) {
  const { buildIfStale } = await import(builder.href);
  await buildIfStale({ log: (line) => process.stderr.write(`ramjet: ${line}\n`) });
}
await import(bundle.href);
