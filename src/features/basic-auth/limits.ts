/** Milliseconds until a question is answered, whatever is still being computed. */
export const DEADLINE = 4_000;

/** Bytes of an `Authorization` header; a longer one is answered without a look at it. */
export const MAX_HEADER = 8_192;
