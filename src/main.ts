import { processIo } from './cli/io.ts';
import { runCli } from './cli/program.ts';

// The folder above is the package's, here as in the bundle.
process.exitCode = await runCli(process.argv.slice(2), processIo(new URL('..', import.meta.url)));
