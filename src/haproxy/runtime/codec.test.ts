import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { silence } from './answers.ts';
import { ArgumentError, escapeArgument, mapKey, mapValue, serverName, storePath, token } from './arguments.ts';
import { batches, command, splitAnswers, terminator } from './codec.ts';
import { addMapEntryCommand, fillMapCommands } from './map-commands.ts';
import { addServerCommands } from './server-commands.ts';

/**
 * HAProxy's own rules (cli.c: cli_parse_cmdline, cli_process_cmdline), read anew: a line ends at an
 * unescaped `;` or newline, words at unescaped blanks, a last word that starts with `<<` is no word.
 */
function parseLikeHaproxy(text: string): readonly (readonly string[])[] {
  const commands: string[][] = [];
  let words: string[] = [];
  let word = '';
  let raw = '';
  const endWord = () => {
    if (raw !== '') words.push(raw.startsWith('<<') ? 'PAYLOAD' : word);
    word = raw = '';
  };
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (char === '\\') {
      const next = text[at + 1] ?? '';
      word += next;
      raw += char + next;
      // The search for `<<` doesn't know escapes: it looks behind the last blank, escaped or not.
      if (next === ' ' && text.slice(at + 2).startsWith('<<')) word = 'PAYLOAD';
      at += 1;
    } else if (char === ' ' || char === '\t') endWord();
    else if (char === ';' || char === '\n') {
      endWord();
      commands.push(words);
      words = [];
    } else {
      word += char;
      raw += char;
    }
  }
  return commands;
}

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom(';', ' ', '\\', '<', '<<', '\n', '\r', '\t', '\0', 'a', '%0%', 'é', '#', '@', '/', '\ud800') }),
);

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof ArgumentError) return undefined;
    throw error;
  }
}

describe('arguments', () => {
  it('are refused, or are exactly one word of exactly one command', () => {
    fc.assert(
      fc.property(hostile, hostile, (first, last) => {
        const made = attempt(() => command(['set', escapeArgument(first), escapeArgument(last)], silence));
        if (made === undefined) return;
        expect(parseLikeHaproxy(made.wire())).toEqual([['set', first, last]]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('never make a second command of a builder, nor a payload', () => {
    fc.assert(
      fc.property(hostile, hostile, hostile, (a, b, c) => {
        for (const made of [
          attempt(() => [addMapEntryCommand(a, b, c)]),
          attempt(() => addServerCommands({ backend: a, name: b, address: '127.0.0.1', port: 80, options: [c] })),
          attempt(() => [command(['x', storePath(a), token(b), serverName(c, c)], silence)]),
        ]) {
          for (const one of made ?? []) expect(parseLikeHaproxy(one.wire())).toHaveLength(1);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('can not be smuggled past the builders', () => {
    for (const bad of ['a b', 'a;b', 'a\nb', '<<', 'a\\', '', 'a\tb', 'a\\nb', '\\ \n'])
      expect(() => command([bad], silence)).toThrow(ArgumentError);
    expect(() =>
      command(
        Array.from({ length: 61 }, () => 'a'),
        silence,
      ),
    ).toThrow(ArgumentError);
  });

  it('refuse what HAProxy would take for a reference or would not keep', () => {
    for (const key of ['#1', '@1', 'a b', '']) expect(() => mapKey(key)).toThrow(ArgumentError);
    for (const value of [' a', 'a ', '', 'a\0']) expect(() => mapValue(value)).toThrow(ArgumentError);
    expect(() => serverName('a/b', 'c')).toThrow(ArgumentError);
  });
});

describe('payloads', () => {
  it('end where they end, whatever they hold', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('%0%', '%1%', '', 'x', '%0% ', ';', '<<'), { maxLength: 8 }), (lines) => {
        const payload = `first\n${lines.join('\n')}`;
        const end = terminator(payload);
        expect(payload.split('\n')).not.toContain(end);
        expect(end.length).toBeLessThanOrEqual(7);
      }),
    );
  });

  it('hold no NUL and are not empty', () => {
    for (const payload of ['', '\n', 'a\0b']) expect(() => command(['x'], silence, { payload })).toThrow(ArgumentError);
  });
});

describe('batches', () => {
  it('stay below the limit and keep the order, one payload each', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 60 }), fc.boolean()), { maxLength: 40 }), (shapes) => {
        const commands = shapes.map(([length, payload], index) =>
          command([`c${String(index)}`, 'x'.repeat(length)], silence, payload ? { payload: 'p' } : {}),
        );
        const made = batches(commands, 100);
        expect(made.flatMap((batch) => batch.commands)).toEqual(commands);
        for (const batch of made) {
          expect(Buffer.byteLength(batch.text)).toBeLessThanOrEqual(100);
          if (batch.commands.some((one) => one.alone)) expect(batch.commands).toHaveLength(1);
        }
      }),
    );
  });

  it('take a command of exactly the limit and refuse one byte more', () => {
    const of = (bytes: number) => command(['x'.repeat(bytes - 1)], silence);
    expect(batches([of(100)], 100)).toHaveLength(1);
    expect(() => batches([of(101)], 100)).toThrow(ArgumentError);
  });

  it('fill maps up to the limit', () => {
    const entries = Array.from({ length: 1_000 }, (_, index) => ({ key: `k${String(index)}/é`, value: 'v'.repeat(index % 40) + 'v' }));
    for (const limit of [200, 201, 202, 14_000]) {
      const commands = fillMapCommands('/m.map', 7, entries, limit);
      for (const one of commands) expect(one.size()).toBeLessThanOrEqual(limit);
      const lines = commands.flatMap((one) => one.wire().split('\n').slice(1, -2));
      expect(lines).toEqual(entries.map(({ key, value }) => `${key} ${value}`));
    }
    expect(() => fillMapCommands('/m.map', 7, [{ key: 'k', value: 'v'.repeat(200) }], 200)).toThrow(ArgumentError);
  });
});

describe('answers', () => {
  it('belong to the command of their place, a failed one too', () => {
    expect(splitAnswers('\nNo such server.\n\n\n', 3)).toEqual(['', 'No such server.', '']);
    expect(splitAnswers('Committing a\nSuccess!\n\n', 1)).toEqual(['Committing a\nSuccess!']);
  });

  it('are missing where the connection ended early, and all of them if there are too many', () => {
    expect(splitAnswers('\n', 3)).toEqual(['', undefined, undefined]);
    expect(splitAnswers('The command line is too big\n', 2)).toEqual([undefined, undefined]);
    expect(splitAnswers('cut', 1)).toEqual([undefined]);
    expect(splitAnswers('', 1)).toEqual([undefined]);
    expect(splitAnswers('\n\n\n', 2)).toEqual([undefined, undefined]);
  });

  it('of one command alone may hold blank lines', () => {
    expect(splitAnswers('0x1 a \n\nb\n\n', 1)).toEqual(['0x1 a \n\nb']);
  });
});
