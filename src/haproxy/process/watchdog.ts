import type { ChildProcess } from 'node:child_process';
import type { Clock } from '../runtime/clock.ts';
import type { Spawn } from './spawn.ts';

/**
 * Gets a pid as argument and later ones by its standard input. When that ends, whatever ended our process, it ends the
 * master of the last pid (the workers follow), if that pid still is a HAProxy of our socket.
 */
const SCRIPT = `
pid=$2
while IFS= read -r line; do pid=$line; done
ours() {
  [ -n "$pid" ] && [ -r "/proc/$pid/cmdline" ] &&
  case "$(tr '\\000' ' ' < "/proc/$pid/cmdline" 2>/dev/null)" in *" -S $1,"*) true;; *) false;; esac
}
ours "$1" || exit 0
kill -TERM "$pid"
n=0
while [ $n -lt 20 ]; do ours "$1" || exit 0; sleep 0.1; n=$((n + 1)); done
kill -KILL "$pid"
`;

export interface Watchdog {
  /** 0: nobody to end. */
  guard(pid: number): void;
  /** Ends the watchdog; the guarded process stays. */
  release(): void;
}

export interface WatchdogOptions {
  readonly masterSocket: string;
  readonly spawn: Spawn;
  readonly clock: Clock;
  readonly warn: (detail: string) => void;
}

/** HAProxy must not outlive us, not even a kill -9. If the watchdog itself is killed it is started again. */
export function startWatchdog(options: WatchdogOptions): Watchdog {
  let released = false;
  let guarded = 0;
  let child = launch();

  function launch(): ChildProcess {
    // A session of its own: Ctrl-C in our terminal must not end it before us.
    const started = options.spawn('/bin/sh', ['-c', SCRIPT, 'ramjet-watchdog', options.masterSocket, text()], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
    started.unref();
    // Writing to a watchdog that just died is reported by its exit.
    started.stdin?.on('error', () => undefined);
    started.once('error', (error) => {
      options.warn(error.message);
    });
    started.once('exit', () => {
      if (released) return;
      options.clock.after(100, () => {
        if (released) return;
        options.warn('the watchdog ended and was started again');
        // With the pid as argument: we may be killed before we could write it.
        child = launch();
      });
    });
    return started;
  }
  function text(): string {
    return guarded === 0 ? '' : String(guarded);
  }
  return {
    guard(pid) {
      guarded = pid;
      child.stdin?.write(`${text()}\n`);
    },
    release() {
      released = true;
      guarded = 0;
      child.stdin?.end('\n');
    },
  };
}
