import { assertNever } from './assert-never.ts';
import type { ByteReader } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';
import { readString, readTypedData, writeString, writeTypedData } from './typed-data.ts';
import type { SpopValue } from './value.ts';

/** Where a variable lives (SPOE.txt 3.4), in the words that HAProxy's configuration uses. */
export type VariableScope = 'proc' | 'sess' | 'txn' | 'req' | 'res';

/**
 * What an ACK asks for (SPOE.txt 3.4). `name` has a-z, A-Z, 0-9, '.' and '_'. HAProxy looks the variable up as
 * `<scope>.<var-prefix>.<name>`, ignores it silently when its configuration does not mention it, and likewise when
 * that whole name has 64 characters or more.
 */
export type Action =
  | {
      readonly type: 'set-var';
      readonly scope: VariableScope;
      readonly name: string;
      readonly value: SpopValue;
    }
  | { readonly type: 'unset-var'; readonly scope: VariableScope; readonly name: string };

const SET_VAR = 1;
const SET_VAR_ARGUMENTS = 3;
const UNSET_VAR = 2;
const UNSET_VAR_ARGUMENTS = 2;
/** A scope's number is its place. */
const SCOPES: readonly VariableScope[] = ['proc', 'sess', 'txn', 'req', 'res'];

export function setVar(scope: VariableScope, name: string, value: SpopValue): Action {
  return { type: 'set-var', scope, name, value };
}

export function unsetVar(scope: VariableScope, name: string): Action {
  return { type: 'unset-var', scope, name };
}

/** Faults: `unknown-action`, `bad-argument-count`, `unknown-scope`, and those of the value. */
export function readActions(reader: ByteReader): readonly Action[] {
  const actions: Action[] = [];
  while (reader.more) {
    const action = readAction(reader);
    if (action === undefined) break;
    actions.push(action);
  }
  return actions;
}

export function writeActions(writer: ByteWriter, actions: readonly Action[]): void {
  for (const action of actions) writeAction(writer, action);
}

function readAction(reader: ByteReader): Action | undefined {
  const type = reader.byte();
  const count = reader.byte();
  switch (type) {
    case SET_VAR: {
      const scope = readHead(reader, count, SET_VAR_ARGUMENTS);
      if (scope === undefined) return undefined;
      return setVar(scope, readString(reader), readTypedData(reader));
    }
    case UNSET_VAR: {
      const scope = readHead(reader, count, UNSET_VAR_ARGUMENTS);
      return scope === undefined ? undefined : unsetVar(scope, readString(reader));
    }
    default:
      reader.fail('unknown-action', `action type ${type} is not known`);
      return undefined;
  }
}

function readHead(reader: ByteReader, count: number, expected: number): VariableScope | undefined {
  if (count !== expected) {
    reader.fail('bad-argument-count', `an action of ${count} arguments where ${expected} are due`);
    return undefined;
  }
  const number = reader.byte();
  const scope = SCOPES[number];
  if (scope === undefined) reader.fail('unknown-scope', `variable scope ${number} is not known`);
  return scope;
}

function writeAction(writer: ByteWriter, action: Action): void {
  switch (action.type) {
    case 'set-var':
      writeHead(writer, SET_VAR, SET_VAR_ARGUMENTS, action);
      writeTypedData(writer, action.value);
      break;
    case 'unset-var':
      writeHead(writer, UNSET_VAR, UNSET_VAR_ARGUMENTS, action);
      break;
    default:
      assertNever(action);
  }
}

function writeHead(writer: ByteWriter, type: number, count: number, action: Action): void {
  writer.byte(type);
  writer.byte(count);
  writer.byte(SCOPES.indexOf(action.scope));
  writeString(writer, action.name);
}
