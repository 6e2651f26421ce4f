/**
 * Reads apt's own source entries, so that a mirror this machine's administrator chose and the key
 * he trusts are used as they are, and no host name has to stand in this repository.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @typedef {object} Source
 * @property {string} uri
 * @property {readonly string[]} suites
 * @property {readonly string[]} components
 * @property {string | undefined} signedBy as written: keyring paths, fingerprints or a whole key block
 */

/**
 * One-line format: `deb [option=value …] URI suite component…`
 *
 * @param {string} text
 * @returns {Source[]}
 */
export function parseOneLine(text) {
  /** @type {Source[]} */
  const found = [];
  for (const raw of text.split('\n')) {
    const match = /^\s*deb\s+(?:\[([^\]]*)\]\s+)?(.+)$/.exec(raw.replace(/#.*/, ''));
    if (!match) continue;
    const [uri, suite, ...components] = (match[2] ?? '').trim().split(/\s+/);
    if (!uri || !suite) continue;
    const signedBy = /(?:^|\s)signed-by=(\S+)/i.exec(match[1] ?? '')?.[1];
    found.push({ uri, suites: [suite], components, signedBy: signedBy?.replaceAll(',', ' ') });
  }
  return found;
}

/**
 * @param {string} paragraph
 * @returns {Map<string, string>} field in lower case → value, continuation lines kept
 */
function fieldsOf(paragraph) {
  const fields = new Map();
  let name = '';
  for (const line of paragraph.split('\n')) {
    if (line.startsWith('#')) continue;
    if (/^[ \t]/.test(line)) {
      fields.set(name, `${fields.get(name) ?? ''}\n${line}`);
      continue;
    }
    const colon = line.indexOf(':');
    if (colon < 1) continue;
    name = line.slice(0, colon).toLowerCase();
    fields.set(name, line.slice(colon + 1).trim());
  }
  return fields;
}

/**
 * deb822 format. An entry with several URIs becomes one source per URI: each is a full archive, and
 * one that answers is enough for us.
 *
 * @param {string} text
 * @returns {Source[]}
 */
export function parseDeb822(text) {
  /** @type {Source[]} */
  const found = [];
  for (const paragraph of text.replaceAll('\r', '').split(/\n[ \t]*\n/)) {
    const fields = fieldsOf(paragraph);
    /** @param {string} name */
    const words = (name) => (fields.get(name) ?? '').split(/\s+/).filter(Boolean);
    if (!words('types').includes('deb')) continue;
    if (/^(no|false|0|off|without|disable)$/i.test(fields.get('enabled') ?? 'yes')) continue;
    for (const uri of words('uris')) {
      found.push({
        uri,
        suites: words('suites'),
        components: words('components'),
        signedBy: fields.get('signed-by'),
      });
    }
  }
  return found;
}

/**
 * @param {string} path
 * @returns {Source[]}
 */
function readSourceFile(path) {
  try {
    const text = readFileSync(path, 'utf8');
    return path.endsWith('.sources') ? parseDeb822(text) : parseOneLine(text);
  } catch {
    // Missing or unreadable is the same to us: another file may still name the archive.
    return [];
  }
}

/**
 * @param {{ list: string, parts: string }} places apt's own `Dir::Etc::SourceList` and `SourceParts`
 * @returns {Source[]}
 */
export function readSources({ list, parts }) {
  /** @type {string[]} */
  let names = [];
  try {
    names = readdirSync(parts).sort();
  } catch {
    // A machine may have only the one file.
  }
  // Apt itself skips other endings: that is how entries are switched off.
  const files = names.filter((name) => /\.(list|sources)$/.test(name)).map((name) => join(parts, name));
  return [list, ...files].flatMap(readSourceFile);
}

/**
 * Lower is better; undefined is not Debian's main archive at all.
 *
 * @param {Source} source
 * @returns {number | undefined}
 */
function rank(source) {
  const servesRelease = source.suites.some((suite) => /^[a-z]+$/.test(suite));
  if (!servesRelease || !source.components.includes('main')) return undefined;
  if (source.uri.includes('security')) return undefined;
  if (source.signedBy?.includes('debian-archive')) return 0;
  // A mirror under any name, its keyring perhaps elsewhere. Third parties that look the same are
  // harmless: they don't have the suites we ask for, or don't sign them with a key trusted here.
  return /\/debian(\/|\.|$)/.test(source.uri) ? 1 : undefined;
}

/**
 * @param {readonly Source[]} sources
 * @returns {Source[]} those that are Debian's main archive, best first, each archive once
 */
export function mainArchives(sources) {
  const ranked = sources
    .map((source) => ({ source, rank: rank(source) }))
    .filter((entry) => entry.rank !== undefined)
    .sort((a, b) => Number(a.rank) - Number(b.rank));
  /** @type {Map<string, Source>} */
  const once = new Map();
  for (const { source } of ranked) {
    const key = source.uri.replace(/\/+$/, '');
    if (!once.has(key)) once.set(key, source);
  }
  return [...once.values()];
}

/**
 * The same archive with other suites. Only the URI and the key are taken over: an administrator's
 * `trusted=yes` must not reach a download that we make.
 *
 * @param {Source} source
 * @param {readonly string[]} suites
 * @param {string} architecture
 */
export function sourceEntry(source, suites, architecture) {
  const lines = ['Types: deb', `URIs: ${source.uri}`, `Suites: ${suites.join(' ')}`, 'Components: main', `Architectures: ${architecture}`];
  if (source.signedBy) lines.push(`Signed-By: ${source.signedBy}`);
  return `${lines.join('\n')}\n`;
}
