/**
 * Status codes of the two DISCONNECT frames (SPOE.txt 3.5, "Errors & timeouts"). HAProxy adds 256 to them in the
 * variable of `option set-on-error`.
 */
export const STATUS = {
  normal: 0,
  ioError: 1,
  timeout: 2,
  frameTooBig: 3,
  invalidFrame: 4,
  noVersion: 5,
  noMaxFrameSize: 6,
  noCapabilities: 7,
  badVersion: 8,
  badFrameSize: 9,
  fragmentationNotSupported: 10,
  interlacedFrames: 11,
  frameIdNotFound: 12,
  resourceAllocation: 13,
  unknown: 99,
} as const;

export type KnownStatus = (typeof STATUS)[keyof typeof STATUS];

const TEXTS: Readonly<Record<KnownStatus, string>> = {
  0: 'normal',
  1: 'I/O error',
  2: 'a timeout occurred',
  3: 'frame is too big',
  4: 'invalid frame received',
  5: 'version value not found',
  6: 'max-frame-size value not found',
  7: 'capabilities value not found',
  8: 'unsupported version',
  9: 'max-frame-size too big or too small',
  10: 'payload fragmentation is not supported',
  11: 'invalid interlaced frames',
  12: 'frame-id not found',
  13: 'resource allocation error',
  99: 'an unknown error occurred',
};

/** The sentence that belongs to a status, for the mandatory `message` item of a DISCONNECT frame. */
export function statusText(status: KnownStatus): string {
  return TEXTS[status];
}
