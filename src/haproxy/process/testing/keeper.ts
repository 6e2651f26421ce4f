import { HaproxyProcess } from '../haproxy-process.ts';

/** A process of its own that keeps HAProxy, to be killed: `keeper.ts BINARY CONFIG RUNDIR`. */
const [binary = '', configFile = '', runDir = ''] = process.argv.slice(2);
const silent = () => undefined;
const haproxy = new HaproxyProcess({ binary, configFile, runDir, log: { info: silent, warn: silent, error: silent } });
const started = await haproxy.start();
process.stdout.write(`${JSON.stringify(started)}\n`);
