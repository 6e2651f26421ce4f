import { isAlias, isMap, isScalar, isSeq, type Alias, type Pair, type Scalar, type YAMLMap, type YAMLSeq } from 'yaml';
import { newRecord, isRecord, isList } from '../../objects/records.ts';
import type { SourceMap } from '../../objects/scope.ts';

/** Nodes that aliases may add to a document; each expansion of an anchored node counts in full. */
const MAX_ALIASED_NODES = 100_000;

export interface RepeatedKey {
  readonly path: string;
  readonly line: number;
}

/** A document that can not be turned into a value; the message is for the author. */
export class YamlValueError extends Error {
  readonly line: number;
  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

interface Mark {
  readonly line: number;
  /** Only for scalars that are no texts. */
  readonly text?: string;
  /** Came by a merge key: an own member of that name is no repetition. */
  readonly merged?: boolean;
}

interface Anchored {
  readonly value: unknown;
  readonly size: number;
}

/**
 * Composed nodes as plain values. The library's own `toJS` would do, but knows neither lines nor the
 * spelling of scalars, and drops repeated keys without a word.
 */
export class YamlConverter implements SourceMap {
  readonly repeatedKeys: RepeatedKey[] = [];
  readonly #marks = new WeakMap<object, Marks>();
  readonly #anchors = new Map<string, Anchored>();
  readonly #lineAt: (offset: number) => number;
  #size = 0;
  #aliased = 0;

  constructor(lineAt: (offset: number) => number) {
    this.#lineAt = lineAt;
  }

  lineOf(container: object, key: string | number): number | undefined {
    return this.#marks.get(container)?.get(key)?.line;
  }

  textOf(container: object, key: string | number): string | undefined {
    return this.#marks.get(container)?.get(key)?.text;
  }

  convert(node: unknown, path: string): unknown {
    if (isAlias(node)) return this.#alias(node);
    const before = this.#size;
    this.#size += 1;
    const value = this.#plain(node, path);
    const anchor = isScalar(node) || isMap(node) || isSeq(node) ? node.anchor : undefined;
    if (anchor !== undefined) this.#anchors.set(anchor, { value, size: this.#size - before });
    return value;
  }

  #plain(node: unknown, path: string): unknown {
    if (isMap(node)) return this.#mapping(node, path);
    if (isSeq(node)) return this.#sequence(node, path);
    if (!isScalar(node)) return undefined;
    // `%YAML 1.1` brings dates and byte arrays, which have no place in Kubernetes' JSON.
    return typeof node.value === 'object' && node.value !== null ? node.source : node.value;
  }

  #alias(node: Alias): unknown {
    const anchored = this.#anchors.get(node.source);
    if (!anchored)
      throw new YamlValueError(`The alias \`*${node.source.slice(0, 40)}\` has no finished anchor before it`, this.#line(node));
    this.#size += anchored.size;
    this.#aliased += anchored.size;
    if (this.#aliased > MAX_ALIASED_NODES) throw new YamlValueError('The aliases of the document expand to too much', this.#line(node));
    return anchored.value;
  }

  #sequence(node: YAMLSeq, path: string): unknown[] {
    const values: unknown[] = [];
    const marks: Marks = new Map();
    this.#marks.set(values, marks);
    for (const [index, item] of node.items.entries()) {
      values.push(this.convert(item, `${path}[${index}]`));
      marks.set(index, this.#mark(item, item));
    }
    return values;
  }

  #mapping(node: YAMLMap, path: string): Record<string, unknown> {
    const record = newRecord<unknown>();
    const marks: Marks = new Map();
    this.#marks.set(record, marks);
    for (const pair of node.items) {
      if (isMergeKey(pair.key)) this.#merge(record, marks, this.convert(pair.value, path), pair.key);
      else this.#member(record, marks, pair, path);
    }
    return record;
  }

  #member(record: Record<string, unknown>, marks: Marks, pair: Pair, path: string): void {
    const key = this.#key(pair.key);
    const memberPath = joinPath(path, key);
    const mark = this.#mark(pair.key, pair.value);
    const earlier = marks.get(key);
    if (earlier && !earlier.merged) this.repeatedKeys.push({ path: memberPath, line: mark.line });
    record[key] = this.convert(pair.value, memberPath);
    marks.set(key, mark);
  }

  /** `<<: *base` and `<<: [*a, *b]`: own members win over merged ones, wherever they stand. */
  #merge(record: Record<string, unknown>, marks: Marks, from: unknown, key: Scalar): void {
    for (const base of isList(from) ? from : [from]) {
      if (!isRecord(base)) throw new YamlValueError('A merge key `<<` takes a mapping or a list of mappings', this.#line(key));
      for (const [name, value] of Object.entries(base)) {
        if (Object.hasOwn(record, name)) continue;
        record[name] = value;
        marks.set(name, { line: this.#line(key), ...this.#marks.get(base)?.get(name), merged: true });
      }
    }
  }

  #key(node: unknown): string {
    if (isAlias(node)) {
      const value = this.#alias(node);
      if (typeof value === 'string') return value;
    }
    // `9000: svc` in the ConfigMap of TCP services: the spelling is the key.
    if (isScalar(node)) return typeof node.value === 'string' ? node.value : (node.source ?? String(node.value));
    throw new YamlValueError('A key of a mapping must be a text', this.#line(node));
  }

  #mark(at: unknown, value: unknown): Mark {
    const line = this.#line(at);
    return isScalar(value) && typeof value.value !== 'string' && value.source !== undefined ? { line, text: value.source } : { line };
  }

  #line(node: unknown): number {
    const range = isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? node.range : undefined;
    return this.#lineAt(range?.[0] ?? 0);
  }
}

type Marks = Map<string | number, Mark>;

function isMergeKey(key: unknown): key is Scalar {
  return isScalar(key) && key.source === '<<' && key.type === 'PLAIN';
}

function joinPath(path: string, key: string): string {
  if (path === '') return key;
  // As `annotationField` writes it, and printable whatever the key is.
  return /^[A-Za-z]\w*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
}
