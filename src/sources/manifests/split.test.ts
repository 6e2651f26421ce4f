import { describe, expect, it } from 'vitest';
import { splitDocuments } from './split.ts';

describe('splitDocuments', () => {
  it('gives each document with its line', () => {
    expect(splitDocuments('a: 1\n---\nb: 2\n--- # note\nc: 3\n...\n---\nd: 4\n')).toEqual([
      { text: 'a: 1\n', line: 1 },
      { text: '---\nb: 2\n', line: 2 },
      { text: '--- # note\nc: 3\n', line: 4 },
      { text: '---\nd: 4\n', line: 7 },
    ]);
  });

  it.each([[''], ['\n\n'], ['# only a comment\n'], ['---\n'], ['---\n---\n...\n'], ['--- # a\n\n# b\n---'], ['   ']])(
    'finds nothing in %j',
    (text) => {
      expect(splitDocuments(text)).toEqual([]);
    },
  );

  it('knows content on the marker line, and dashes that are no marker', () => {
    expect(splitDocuments('--- {a: 1}\n--- |\n text\n')).toHaveLength(2);
    expect(splitDocuments('a: |\n  ---\n  b\n---x: 1\n - --- \n')).toHaveLength(1);
  });

  it('keeps directives with the document they are for', () => {
    expect(splitDocuments('%YAML 1.2\n---\na: 1\n---\nb: 2\n')).toEqual([
      { text: '%YAML 1.2\n---\na: 1\n', line: 1 },
      { text: '---\nb: 2\n', line: 4 },
    ]);
  });

  it('reads Windows line ends', () => {
    expect(splitDocuments('a: 1\r\n---\r\n\r\n---\r\nb: 2\r\n').map(({ line }) => line)).toEqual([1, 4]);
  });

  it('loses no character of a document', () => {
    const text = `a: 1\n---\nb: "---"\n---\nc: 3`;
    expect(
      splitDocuments(text)
        .map((chunk) => chunk.text)
        .join(''),
    ).toBe(text);
  });
});
