/** The text of one YAML document, cut out before anything is parsed. */
export interface Chunk {
  readonly text: string;
  /** 1-based line of the chunk's first line in the file. */
  readonly line: number;
}

const MARKER = /^(---|\.\.\.)(?=[ \t\r\n]|$)/gm;
const MEANINGLESS = /^[ \t]*(#.*|%.*|---[ \t]*(#.*)?|\.\.\.[ \t]*(#.*)?)?\r?$/;

/**
 * Cuts a stream at its document markers. YAML allows `---` and `...` at the start of a line nowhere
 * else, not even in a block scalar, so a document with a syntax error can't swallow the next one.
 */
export function splitDocuments(text: string): readonly Chunk[] {
  const chunks: Chunk[] = [];
  let line = 1;
  let prefix = '';
  for (const part of cut(text)) {
    const whole = prefix + part;
    if (!isMeaningless(whole)) {
      chunks.push({ text: whole, line: line - countLines(prefix) });
      prefix = '';
    } else {
      // Directives (`%YAML 1.2`) stand before the marker of the document they are for.
      prefix = /^%/m.test(whole) && !/^---/m.test(whole) ? whole : '';
    }
    line += countLines(part);
  }
  return chunks;
}

function* cut(text: string): Generator<string> {
  let start = 0;
  for (const match of text.matchAll(MARKER)) {
    if (match.index === start) continue;
    yield text.slice(start, match.index);
    start = match.index;
  }
  yield text.slice(start);
}

/** Only blanks, comments, directives and markers. Looks at most at the lines before the first word. */
function isMeaningless(text: string): boolean {
  let start = 0;
  while (start < text.length) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    if (!MEANINGLESS.test(text.slice(start, end))) return false;
    start = end + 1;
  }
  return true;
}

function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}
