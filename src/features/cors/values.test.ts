import { expect, test } from 'vitest';
import { nameList, originList } from './values.ts';

test.each([
  ['*', '*'],
  ['https://a.example, *', '*'],
  ['', '*'],
  [' https://A.example ,,null,http://*.b.example:81', ['https://a.example', 'null', 'http://*.b.example:81']],
])('%j lists origins', (text, value) => {
  expect(originList(text)).toEqual({ ok: true, value });
});

test('bad origins are left out and named', () => {
  const outcome = originList('https://a.example, a.example, https://*, https://a.*.example, https://a.example/, https://a|b');
  expect(outcome).toMatchObject({ ok: true, value: ['https://a.example'] });
  expect(outcome.ok && outcome.note).toContain('`a.example`');
});

test.each([
  'a.example',
  'https://',
  '(.*)',
  'https://a.example\r\nX: y',
  'x'.repeat(65_536),
  Array.from({ length: 501 }, (_, index) => `https://a${index}.example`).join(),
])('no origin at all is refused', (text) => {
  expect(originList(text).ok).toBe(false);
});

test('lists of names keep their spelling', () => {
  expect(nameList('headers', { star: false })('X-A,X_B  c')).toEqual({ ok: true, value: 'X-A,X_B  c' });
  expect(nameList('methods', { star: true })('*')).toEqual({ ok: true, value: '*' });
  for (const text of ['', ',', '*', 'X:A', 'a\nb', 'x'.repeat(65_536)])
    expect(nameList('headers', { star: false })(text).ok, text).toBe(false);
});
