/** A protocol version, written "Major.Minor" (SPOE.txt 3.2.4). */
export interface SpopVersion {
  readonly major: number;
  readonly minor: number;
}

const VERSION = /^([0-9]{1,4})\.([0-9]{1,3})$/;

/** Nothing when the text is no version. Spaces are ignored, as the specification wants. */
export function parseVersion(text: string): SpopVersion | undefined {
  const match = VERSION.exec(text.replaceAll(' ', ''));
  return match === null ? undefined : { major: Number(match[1]), minor: Number(match[2]) };
}

export function formatVersion(version: SpopVersion): string {
  return `${version.major}.${version.minor}`;
}

/** Whether a peer that announces `announced` speaks `version`: a major version includes all earlier minor ones. */
export function speaks(announced: readonly SpopVersion[], version: SpopVersion): boolean {
  return announced.some(({ major, minor }) => major === version.major && minor >= version.minor);
}
