#!/usr/bin/env node
/**
 * `npm start`: sets up what is missing, then serves the example shop with its backends until Ctrl-C.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const setup = fileURLToPath(new URL('./setup.mjs', import.meta.url));
const { status } = spawnSync(process.execPath, [setup], { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);

// Packages are there only now, so nothing above may need one.
const { register } = await import('tsx/esm/api');
register();
await import('./demo.ts');
