/** What this folder needs of a file system. Passed in, so that tests can break it. */
export interface FileAccess {
  /** Names in a directory, in any order. */
  list(directory: string): ListResult;
  /** Follows symbolic links. */
  stat(path: string): FileStat | undefined;
  read(path: string, maxBytes: number): ReadResult;
  /** Reports names of changed entries of one directory, not of its children; `undefined` for "something". */
  watch(directory: string, onChange: (name: string | undefined) => void, onError: (reason: string) => void): WatchResult;
}

export interface FileStat {
  readonly kind: 'file' | 'directory' | 'other';
  /** Changes when the file does: device, inode, size and times. */
  readonly signature: string;
  /** Device, inode and birth: the same directory under two names. */
  readonly identity: string;
  readonly size: number;
}

export type ListResult =
  | { readonly ok: true; readonly names: readonly string[] }
  | { readonly ok: false; readonly missing: boolean; readonly reason: string };

export type ReadResult =
  | { readonly state: 'read'; readonly bytes: Uint8Array; readonly stat: FileStat }
  | { readonly state: 'missing' }
  /** It was written to while being read. */
  | { readonly state: 'changing' }
  | { readonly state: 'failed'; readonly reason: string };

export type WatchResult = { readonly ok: true; readonly close: () => void } | { readonly ok: false; readonly reason: string };
