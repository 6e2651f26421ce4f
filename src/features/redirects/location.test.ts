import { describe, expect, test } from 'vitest';
import { LITERAL, location, rootPath } from './location.ts';

const any = location({ paths: true, variables: true });

describe('redirect targets', () => {
  test.each([
    ['https://a.example/x?y=1#z', { ...LITERAL, before: 'https://a.example/x?y=1#z' }],
    ['HTTPS://A.example/X', { ...LITERAL, before: 'https://a.example/X' }],
    ['/x', { ...LITERAL, base: 'site', before: '/x' }],
    ['https://a.example$request_uri', { ...LITERAL, before: 'https://a.example', tail: 'uri' }],
    ['$scheme://www.$host$uri$is_args$args', { ...LITERAL, scheme: true, middle: '://www.', host: 'name', tail: 'uri' }],
    ['https://a.example/?$args', { ...LITERAL, before: 'https://a.example/', tail: 'query' }],
    ['/new${request_uri}', { ...LITERAL, base: 'site', before: '/new', tail: 'uri' }],
  ])('%s is read', (text, value) => {
    expect(any(text)).toEqual({ ok: true, value });
  });

  test.each([
    'https://a.example/$1',
    'https://a.example/$cookie_x',
    'https://$hostx/',
    `https://${'x'.repeat(2_000)}$1`,
    '$host$scheme',
    '$request_uri$request_uri',
    '$request_uri',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    'https://',
    'https://a b/',
    'https://a.example/\r\nX: y',
    `https://a.example/${'x'.repeat(65_536)}`,
  ])('%j is refused', (text) => {
    expect(any(text).ok).toBe(false);
  });

  test('a root path must lead away from the root', () => {
    expect(rootPath('/app').ok).toBe(true);
    for (const text of ['/', '/?x', '/#x', 'app', '//app', 'https://a.example/']) expect(rootPath(text).ok, text).toBe(false);
  });
});
