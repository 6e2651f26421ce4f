import type { Acceptor } from './codec.ts';

/** Most commands that change something say nothing when they did it. */
export function silence(answer: string): boolean {
  return answer === '';
}

export function exactly(...texts: readonly string[]): Acceptor {
  return (answer) => texts.includes(answer);
}

export function matching(pattern: RegExp): Acceptor {
  return (answer) => pattern.test(answer);
}

/** 3.4 prints what earlier commands of the same thread left behind before its own last line. */
export function lastLine(text: string): Acceptor {
  return (answer) => answer === text || answer.endsWith(`\n${text}`);
}
