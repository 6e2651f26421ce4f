import { describe, expect, test } from 'vitest';
import { varint } from './haproxy-operations.ts';
import { headerLines, headerNames, replacement, upstreamHost } from './values.ts';

describe('header lines', () => {
  const read = headerLines('request');

  test('name and value are parted by the first blanks, and quotes around them are taken off', () => {
    expect(read('A  b c\n"B" \'d\'\nC "e')).toEqual({
      ok: true,
      value: [
        { name: 'A', value: 'b c' },
        { name: 'B', value: 'd' },
        { name: 'C', value: '"e' },
      ],
    });
  });

  test('of lines with one name the last counts', () => {
    expect(read('A one\na two')).toEqual({ ok: true, value: [{ name: 'a', value: 'two' }] });
  });

  test.each([
    '',
    '\n',
    'A',
    'Host x',
    'transfer-ENCODING chunked',
    'A a\u0000b',
    'A\u0001 b',
    `A ${'x'.repeat(65_536)}`,
    Array.from({ length: 33 }, (_, index) => `A${index} x`).join('\n'),
  ])('%j is refused', (text) => {
    expect(read(text).ok).toBe(false);
  });

  test('a carriage return ends no line inside a value', () => {
    expect(read('A b\r\nC d')).toEqual({
      ok: true,
      value: [
        { name: 'A', value: 'b' },
        { name: 'C', value: 'd' },
      ],
    });
    expect(read('A b\rC d').ok).toBe(false);
  });
});

test('names that can not be removed are left out and named', () => {
  const outcome = headerNames('response')('X-A, Content-Length,,x-b\nX-A');
  expect(outcome).toMatchObject({ ok: true, value: ['X-A', 'x-b'] });
  expect(outcome.ok && outcome.note).toContain('Content-Length');
  expect(headerNames('request')('host').ok).toBe(false);
});

test('the host of the application', () => {
  expect(upstreamHost('A.example:80')).toEqual({ ok: true, value: 'a.example:80' });
  expect(upstreamHost('${service_name}.$namespace')).toEqual({ ok: true, value: '$service_name.$namespace' });
  expect(upstreamHost('$host')).toEqual({ ok: true, value: undefined });
  for (const text of ['', '$http_x', '$service_names', 'a b', 'a:x', 'a/b', 'a\nb', '[::1]'])
    expect(upstreamHost(text).ok, text).toBe(false);
});

test('two words', () => {
  const read = replacement({ off: true });
  expect(read(' /a   /b ')).toEqual({ ok: true, value: { from: '/a', to: '/b' } });
  expect(read('off')).toEqual({ ok: true, value: undefined });
  for (const text of ['', '/a', '/a /b /c', '~^/a /b', '/a /b;', '/a "/b"', '/a /\u0000']) expect(read(text).ok, text).toBe(false);
});

test.each([
  [0, [0]],
  [239, [239]],
  [240, [240, 0]],
  [255, [255, 0]],
  [256, [240, 1]],
  [2_287, [255, 127]],
  [2_288, [240, 128, 0]],
])('%i as a variable-length integer', (value, bytes) => {
  expect([...varint(value)]).toEqual(bytes);
});
