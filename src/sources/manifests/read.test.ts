import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseManifests, readManifests, readManifestText } from './read.ts';
import { isManifestName } from './scan.ts';

const configMap = (name: string, value = 'x'): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {k: "${value}"}\n`;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ramjet-read-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(path: string, text: string | Uint8Array): string {
  const full = join(folder, path);
  mkdirSync(join(full, '..'), { recursive: true });
  writeFileSync(full, text);
  return full;
}

describe('readManifests', () => {
  it('reads a folder recursively and nothing that an editor left there', () => {
    for (const name of ['a.yaml', 'sub/deep/b.yml', 'c.json', 'D.YAML']) put(name, configMap(name.replace(/\W/g, '-').toLowerCase()));
    for (const name of [
      '.hidden.yaml',
      'x.yaml~',
      '.x.yaml.swp',
      'x.yaml.swp',
      '#x.yaml#',
      '4913',
      'notes.txt',
      '.git/y.yaml',
      'z.yaml.bak',
    ])
      put(name, configMap('no'));
    const { configMaps, diagnostics } = readManifests({ paths: [folder] });
    expect([...configMaps.keys()].toSorted()).toEqual(['default/a-yaml', 'default/c-json', 'default/d-yaml', 'default/sub-deep-b-yml']);
    expect(diagnostics).toEqual([]);
  });

  it('reads a file named directly, whatever its name, and a text from elsewhere', () => {
    const file = put('.odd', configMap('a'));
    const { configMaps } = readManifests({ paths: [file], texts: [{ file: '<stdin>', text: configMap('b') }] });
    expect(configMaps.get('default/a')?.position?.file).toBe(file);
    expect(configMaps.get('default/b')?.position).toMatchObject({ file: '<stdin>', line: 1 });
  });

  it('lets the later of two descriptions count and tells the earlier', () => {
    put('a/1.yaml', configMap('x', 'first'));
    put('a.yaml', `---\n---\n${configMap('x', 'second')}`);
    const { configMaps, diagnostics } = readManifests({ paths: [folder] });
    expect(configMaps.get('default/x')?.data).toEqual({ k: 'second' });
    expect(diagnostics).toMatchObject([{ code: 'DuplicateObject', origin: { file: join(folder, 'a/1.yaml') } }]);
    expect(diagnostics[0]?.message).toContain(`${join(folder, 'a.yaml')}:3`);
  });

  it('reads a file once that two arguments lead to, and ends at links in a circle', () => {
    put('sub/a.yaml', configMap('a'));
    symlinkSync(folder, join(folder, 'sub', 'up'));
    symlinkSync('loop', join(folder, 'loop'));
    expect(readManifests({ paths: [folder, join(folder, 'sub'), `${folder}/./sub/a.yaml`] }).diagnostics).toEqual([]);
  });

  it('reports what can not be read, and reads the rest', () => {
    put('a.yaml', configMap('a'));
    put('b.yaml', new Uint8Array([0xff, 0xfe, 0x00]));
    const { configMaps, diagnostics } = readManifests({ paths: [folder, join(folder, 'missing')] });
    expect(configMaps.size).toBe(1);
    expect(diagnostics.map(({ code, origin }) => [code, origin.file])).toEqual([
      ['UnreadableDocument', join(folder, 'b.yaml')],
      ['UnreadableDocument', join(folder, 'missing')],
    ]);
  });

  it('gives the objects of a text in their order, repeated or not', () => {
    expect(readManifestText(`${configMap('a')}---\n${configMap('a')}`, 'x').objects).toHaveLength(2);
    expect(parseManifests([{ file: 'x', text: configMap('a') }]).configMaps.size).toBe(1);
  });

  it.each([
    ['a.yaml', true],
    ['a.yml', true],
    ['a.json', true],
    ['.a.yaml', false],
    ['a.yaml~', false],
    ['#a.yaml#', false],
    ['4913', false],
    ['a.yaml.swp', false],
    ['..data', false],
    ['yaml', false],
  ])('%s: %s', (name, read) => {
    expect(isManifestName(name)).toBe(read);
  });
});
