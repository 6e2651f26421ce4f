/** Blocks of a PEM text in pieces of at most `limit` bytes; a block that is larger stays whole. Text between blocks is dropped. */
export function splitPem(pem: string, limit: number): readonly string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const [block] of pem.matchAll(/-----BEGIN [^-]+-----[\s\S]*?-----END [^-]+-----/g)) {
    if (piece !== '' && Buffer.byteLength(piece) + Buffer.byteLength(block) + 1 > limit) {
      pieces.push(piece);
      piece = '';
    }
    piece += `${block}\n`;
  }
  if (piece !== '') pieces.push(piece);
  // Without any block the text goes to HAProxy as it is, which says what is wrong with it.
  return pieces.length === 0 ? [pem] : pieces;
}
