/** Makes a switch over a union exhaustive: a new member fails to compile here. Never reached at run time. */
export function assertNever(value: never): never {
  throw new TypeError(`unexpected value: ${String(value)}`);
}
