import type { FileAccess } from './file-access.ts';

/** Far above any folder in use, and below what would take the process down. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

export type LoadedText =
  | { readonly state: 'loaded'; readonly text: string; readonly signature: string }
  | { readonly state: 'missing' | 'changing' | 'failed'; readonly reason: string };

export function loadText(files: FileAccess, path: string): LoadedText {
  const result = files.read(path, MAX_FILE_BYTES);
  switch (result.state) {
    case 'read': {
      const text = decode(result.bytes);
      if (text === undefined) return { state: 'failed', reason: 'it is not UTF-8' };
      return { state: 'loaded', text, signature: result.stat.signature };
    }
    case 'missing':
      return { state: 'missing', reason: 'it has disappeared' };
    case 'changing':
      return { state: 'changing', reason: 'it is being written' };
    case 'failed':
      return { state: 'failed', reason: result.reason };
  }
}

/** A half-written file may end inside a character, so bad UTF-8 is an error and not a replacement mark. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
