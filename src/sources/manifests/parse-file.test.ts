import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFile } from './parse-file.ts';

const ingress = (name: string, extra = ''): string => `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: ${name}
  annotations:
    ramjet.dev/a: "1"
${extra}spec:
  tls:
    - secretName: cert
  rules:
    - host: ${name}.example
      http:
        paths:
          - path: /
            pathType: Prefix
            backend: {service: {name: web, port: {number: 80}}}
`;

const configMap = (name: string, data: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata:\n${data}`;

function codes(text: string): readonly string[] {
  return parseFile('f.yaml', text).diagnostics.map(({ code }) => code);
}

describe('positions', () => {
  it('name the line of the document and of what may be wrong in it', () => {
    const { objects } = parseFile('f.yaml', `# head\n---\n${configMap('c', '  key: |\n    x\n  other: y\n')}---\n${ingress('a')}`);
    expect(objects.map(({ position }) => [position?.file, position?.line])).toEqual([
      ['f.yaml', 3],
      ['f.yaml', 11],
    ]);
    expect({ ...objects[0]?.position?.lines }).toEqual({ 'data["key"]': 7, 'data["other"]': 9 });
    expect({ ...objects[1]?.position?.lines }).toEqual({
      'metadata.annotations["ramjet.dev/a"]': 16,
      'spec.tls[0]': 19,
      'spec.tls[0].secretName': 19,
      'spec.rules[0]': 21,
      'spec.rules[0].host': 21,
      'spec.rules[0].http.paths[0]': 24,
    });
  });

  it('reach into Lists and JSON', () => {
    const list =
      '{"apiVersion": "v1", "kind": "List", "items": [\n\n{"apiVersion": "v1", "kind": "Namespace",\n\t"metadata": {"name": "a",\n "annotations": {\n"k": "v"}}}]}';
    const [object] = parseFile('f.json', list).objects;
    expect(object?.position).toMatchObject({ line: 3, lines: { 'metadata.annotations["k"]': 6 } });
  });

  it('of what is missing are those of the part it is missing from', () => {
    const { diagnostics } = parseFile('f.yaml', ingress('a').replace('            pathType: Prefix\n', ''));
    expect(diagnostics.map(({ code, origin }) => [code, origin.line])).toEqual([['ToleratedValue', 14]]);
  });

  it('go by the place in the manifest where a bad sibling was left out', () => {
    const { objects } = parseFile('f.yaml', ingress('a').replace('          - path: /\n', '          - bad\n          - path: /\n'));
    const [object] = objects;
    const path = object?.kind === 'Ingress' ? object.spec.rules[0]?.paths[0] : undefined;
    expect(path?.index).toBe(1);
    expect(object?.position?.lines['spec.rules[0].http.paths[1]']).toBe(15);
  });

  it('are in diagnostics too', () => {
    const { diagnostics } = parseFile('f.yaml', `a: 1\n---\n${ingress('a', '    ramjet.dev/b: 1.0\n')}`);
    expect(diagnostics.map(({ code, origin }) => [code, origin.line])).toEqual([
      ['UnknownKind', 1],
      ['ToleratedValue', 9],
    ]);
  });
});

describe('identity', () => {
  it('is kept where the text did not change', () => {
    const before = parseFile('f.yaml', [ingress('a'), ingress('b'), ingress('c')].join('---\n'));
    const after = parseFile('f.yaml', [ingress('a'), ingress('b').replace('"1"', '"2"'), ingress('c')].join('---\n'), before);
    expect(after.objects[0]).toBe(before.objects[0]);
    expect(after.objects[1]).not.toBe(before.objects[1]);
    expect(after.objects[2]).toBe(before.objects[2]);
    expect(after.objects[1]?.metadata.resourceVersion).not.toBe(before.objects[1]?.metadata.resourceVersion);
  });

  it('is given up for the position alone when a document moves', () => {
    const before = parseFile('f.yaml', `${ingress('a')}---\n${ingress('b', '    ramjet.dev/b: 1\n')}`);
    const after = parseFile('f.yaml', `# new\n# lines\n---\n${ingress('x')}---\n${ingress('b', '    ramjet.dev/b: 1\n')}`, before);
    const [old, moved] = [before.objects[1], after.objects[1]];
    expect(moved?.metadata).toBe(old?.metadata);
    expect(moved?.position?.line).toBe((old?.position?.line ?? 0) + 3);
    expect(moved?.position?.lines['spec.rules[0]']).toBe((old?.position?.lines['spec.rules[0]'] ?? 0) + 3);
    expect(after.diagnostics[0]?.origin.line).toBe((before.diagnostics[0]?.origin.line ?? 0) + 3);
    expect(after).toEqual(parseFile('f.yaml', `# new\n# lines\n---\n${ingress('x')}---\n${ingress('b', '    ramjet.dev/b: 1\n')}`));
  });

  it('does not mix up two documents of the same text', () => {
    const before = parseFile('f.yaml', `${ingress('a')}---\n${ingress('a')}`);
    const after = parseFile('f.yaml', `${ingress('a')}---\n${ingress('a')}`, before);
    expect(after.objects[1]).toBe(before.objects[1]);
    expect(after.objects[0]).not.toBe(after.objects[1]);
  });
});

describe('bad documents', () => {
  it.each([
    ['an unclosed quote', 'a: "x\nb: 1\n'],
    ['an unclosed bracket', 'a: [1, 2\n'],
    ['wrong indentation', 'a:\n  b: 1\n c: 2\n'],
    ['tabs', 'a:\n\tb: 1\n'],
    ['two values', 'a: 1\n- b\n'],
    ['NUL', 'a: \0\n'],
    ['an unknown alias', 'a: *b\n'],
    ['an alias to itself', 'a: &a\n  b: *a\n'],
    ['a key that is a mapping', '{a: 1}: b\n'],
    ['deep nesting', `${'['.repeat(100_000)}\n`],
    ['deep nesting that is closed', `a: ${'['.repeat(1000)}${']'.repeat(1000)}\n`],
    ['deep block nesting', `${'- '.repeat(20_000)}x\n`],
    ['an alias bomb', aliasBomb()],
  ])('with %s lose nobody else', (_name, bad) => {
    const { objects, diagnostics, readable } = parseFile('f.yaml', `${ingress('a')}---\n${bad}---\n${ingress('b')}`);
    expect(readable).toBe(false);
    expect(objects.map(({ metadata }) => metadata.name)).toEqual(['a', 'b']);
    expect(diagnostics).toMatchObject([{ code: 'UnreadableDocument', origin: { kind: 'File', name: 'f.yaml', file: 'f.yaml' } }]);
    expect(diagnostics[0]?.origin.line).toBeGreaterThan(17);
  });

  function aliasBomb(): string {
    const levels = Array.from(
      { length: 9 },
      (_, level) => `l${level + 1}: &l${level + 1} [${Array.from({ length: 10 }, () => `*l${level}`).join(', ')}]`,
    );
    return `l0: &l0 [x]\n${levels.join('\n')}\n`;
  }

  it('say where the error is', () => {
    expect(parseFile('f.yaml', '---\na: 1\nb: [\n').diagnostics[0]?.origin.line).toBe(4);
  });

  it('of 10 MB are read in bounded time', { timeout: 60_000 }, () => {
    expect(codes(configMap('c', `  a: "${'x'.repeat(10_000_000)}"\n`))).toEqual([]);
    expect(codes(`a: ${'"x" '.repeat(50_000)}`)).toEqual(['UnreadableDocument']);
    expect(codes('#\n'.repeat(5_000_000))).toEqual([]);
    expect(codes(Array.from({ length: 50_000 }, (_, index) => `k${index}: v`).join('\n'))).toEqual(['UnknownKind']);
  });
});

describe('YAML as Kubernetes files use it', () => {
  it('reports repeated keys and lets the last one count', () => {
    const { objects, diagnostics } = parseFile('f.yaml', ingress('a', '    ramjet.dev/a: "2"\n'));
    expect(objects[0]?.metadata.annotations['ramjet.dev/a']).toBe('2');
    expect(diagnostics).toMatchObject([
      { code: 'DuplicateKey', origin: { kind: 'Ingress', name: 'a', field: 'metadata.annotations["ramjet.dev/a"]', line: 7 } },
    ]);
  });

  it('keeps the spelling of unquoted annotation values and numeric keys', () => {
    const { objects } = parseFile(
      'f.yaml',
      configMap('c', '  a: 1.0\n  b: 0x10\n  c: 1e3\n  d: 12345678901234567890\n  9000: 007\n  e: yes\n  f: True\n'),
    );
    expect(objects[0]).toMatchObject({
      data: { a: '1.0', b: '0x10', c: '1e3', d: '12345678901234567890', '9000': '007', e: 'yes', f: 'True' },
    });
  });

  it('follows anchors, aliases and merge keys', () => {
    const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\nx: &base {a: "1", b: "2"}\ndata:\n  b: "3"\n  <<: *base\n';
    expect(parseFile('f.yaml', text)).toMatchObject({ objects: [{ data: { a: '1', b: '3' } }], diagnostics: [] });
    expect(codes(text.replace('b: "3"\n  <<: *base', '<<: *base\n  b: "3"'))).toEqual([]);
    expect(codes(text.replace('*base', '[*base, {c: "4"}]'))).toEqual([]);
    expect(codes(text.replace('*base', 'x'))).toEqual(['UnreadableDocument']);
  });

  it('is not fooled by prototype keys', () => {
    const { objects, diagnostics } = parseFile(
      'f.yaml',
      `${ingress('a', '    __proto__: {polluted: "1"}\n    constructor: "x"\n')}__proto__: {kind: Service}\n`,
    );
    expect(objects).toMatchObject([{ kind: 'Ingress', metadata: { annotations: { constructor: 'x' } } }]);
    expect(diagnostics.map(({ code }) => code)).toEqual(['InvalidObject']);
    expect('polluted' in {}).toBe(false);
  });

  it('reads dates, binaries and unknown tags of old YAML as texts', () => {
    const text = `%YAML 1.1\n---\n${configMap('c', '  a: 2001-12-14\n  b: !!binary YQ==\n  c: !mine x\n  d: !!set {a, b}\n')}`;
    expect(parseFile('f.yaml', text).objects).toMatchObject([{ data: { a: '2001-12-14', b: 'YQ==', c: 'x' } }]);
  });

  it('takes a byte order mark and Windows line ends', () => {
    expect(parseFile('f.yaml', `\uFEFF${ingress('a').replaceAll('\n', '\r\n')}`)).toMatchObject({
      objects: [{ metadata: { name: 'a' } }],
      diagnostics: [],
    });
  });
});

describe('parseFile never throws', () => {
  const base = `${ingress('a')}---\n${configMap('c', '  a: b\n')}`;

  it('on any text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => void parseFile('f.yaml', text)),
      { numRuns: 500 },
    );
    const yamlish = fc.array(fc.constantFrom(...'-?:,[]{}#&*!|>\'"%@ \t\n\r\0~'.split(''), '---', '<<', 'a', 'kind', '&a ', '*a', '\n  '), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(yamlish, (parts) => void parseFile('f.yaml', parts.join(''))),
      { numRuns: 2000 },
    );
  });

  it('on valid files with a part replaced, and reads the rest the same with and without a memory', () => {
    const mutation = fc.tuple(
      fc.nat(base.length),
      fc.nat(30),
      fc.oneof(fc.string({ maxLength: 10 }), fc.constantFrom('---\n', '\t', '{', '"', '*', '&', '\n')),
    );
    const before = parseFile('f.yaml', base);
    fc.assert(
      fc.property(mutation, ([at, cut, put]) => {
        const text = base.slice(0, at) + put + base.slice(at + cut);
        expect(parseFile('f.yaml', text, before)).toEqual(parseFile('f.yaml', text));
      }),
      { numRuns: 1000 },
    );
  });
});
