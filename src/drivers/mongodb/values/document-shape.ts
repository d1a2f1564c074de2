import type { Binary, Long, ObjectId } from 'mongodb';
import { plainDecimal } from '../../../base/text/plain-decimal.ts';
import { type Column, type ColumnType, ConnectorError, type Row } from '../../driver.ts';
import { objectLiteral } from '../../files/object-literal.ts';
import type { RecordShape } from '../../json/record-batches.ts';
import { type Kind, kindOf, plainValue, timeText, uuidText } from './plain.ts';

/** Most different fields of the documents of one read. */
const fieldsMax = 4_096;

const COLUMN_TYPES: Readonly<Record<Kind, ColumnType>> = {
  nothing: 'unknown',
  boolean: 'boolean',
  integer: 'integer',
  long: 'integer',
  number: 'number',
  odd_number: 'number',
  string: 'string',
  time: 'timestamp',
  decimal: 'decimal',
  id: 'string',
  uuid: 'string',
  binary: 'binary',
  json: 'json',
};

const NATIVE_TYPES: Readonly<Partial<Record<Kind, string>>> = {
  boolean: 'bool',
  integer: 'int',
  long: 'long',
  number: 'double',
  odd_number: 'double',
  string: 'string',
  time: 'date',
  decimal: 'decimal',
  id: 'objectId',
  uuid: 'uuid',
  binary: 'binData',
};

/** Kinds that widen into one that holds both. */
const WIDER: Readonly<Partial<Record<Kind, readonly Kind[]>>> = {
  integer: ['long', 'number', 'odd_number', 'decimal'],
  long: ['decimal'],
  number: ['odd_number', 'decimal'],
  odd_number: ['decimal'],
  id: ['string'],
  uuid: ['string'],
};

type Cell = (value: unknown) => unknown;

/** Values of columns that are given otherwise than they come. */
const CELLS: Readonly<Partial<Record<Kind, Cell>>> = {
  long: (value) => (typeof value === 'number' ? value : (value as Long).toString()),
  odd_number: (value) => (Number.isFinite(value) ? value : String(value)),
  time: (value) => timeText(value as Date),
  decimal: (value) => plainDecimal(String(value)),
  id: (value) => (value as ObjectId).toHexString(),
  uuid: (value) => uuidText(value as Binary),
  binary: (value) => (value as Binary).toString('base64'),
  string: (value) => (typeof value === 'string' ? value : plainValue(value)),
  json: plainValue,
};

/** The kind whose column holds values of both; `json` holds everything. */
function widened(from: Kind, to: Kind): Kind {
  if (from === to || to === 'nothing') return from;
  if (from === 'nothing' || WIDER[from]?.includes(to)) return to;
  if (WIDER[to]?.includes(from)) return from;
  return 'json';
}

/**
 * The columns of documents as they are met: a field whose values differ in type becomes the type that holds them, `json` at the end.
 * With `wanted` only these fields, in this order; one with dots leads into nested documents.
 */
export class DocumentShape implements RecordShape {
  readonly #wanted: ReadonlySet<string> | null;
  readonly #kinds = new Map<string, Kind>();
  #rowOf: ((document: Row) => Row) | null = null;

  constructor(wanted: readonly string[] | null) {
    this.#wanted = wanted === null ? null : new Set(wanted);
    for (const name of this.#wanted ?? []) this.#kinds.set(name, 'nothing');
  }

  columns(): Column[] {
    return Array.from(this.#kinds, ([name, kind]) => {
      const native = NATIVE_TYPES[kind];
      return {
        name,
        type: COLUMN_TYPES[kind],
        nullable: name !== '_id',
        ...(native === undefined ? {} : { native_type: native }),
        ...(name === '_id' ? { key: true } : {}),
      };
    });
  }

  fits(document: Row): boolean {
    for (const name in document) {
      const known = this.#kinds.get(name);
      if (known === undefined) {
        if (this.#wanted === null) return false;
        continue;
      }
      const kind = kindOf(document[name]);
      if (kind !== known && widened(known, kind) !== known) return false;
    }
    return true;
  }

  admit(document: Row): void {
    for (const [name, value] of Object.entries(document)) {
      const known = this.#kinds.get(name);
      if (known === undefined && this.#wanted !== null) continue;
      const kind = widened(known ?? 'nothing', kindOf(value));
      if (kind === known) continue;
      this.#kinds.set(name, kind);
      this.#rowOf = null;
    }
    if (this.#kinds.size > fieldsMax)
      throw new ConnectorError(
        'DATA',
        `The documents have more than ${fieldsMax} different fields; name those to read in "columns"`,
      );
  }

  row(document: Row): Row {
    this.#rowOf ??= this.#compile();
    return this.#rowOf(document);
  }

  /** What a document lacks is undefined. Code that names its fields makes rows several times as fast as a loop over their names. */
  #compile(): (document: Row) => Row {
    const names = [...this.#kinds.keys()];
    const cells = names.map((name) => CELLS[this.#kinds.get(name) ?? 'nothing']);
    const literal = objectLiteral(names, (index) => {
      const name = names[index] ?? '';
      const key = JSON.stringify(name);
      // Every object inherits a value under some names, such as "constructor".
      const read = name in Object.prototype ? `(h(d,${key})?d[${key}]:undefined)` : `d[${key}]`;
      return cells[index] === undefined ? read : `n(c[${index}],${read})`;
    });
    const source = `const n=(cell,v)=>v===undefined||v===null?v:cell(v);return (d)=>(${literal});`;
    return new Function('h', 'c', source)(Object.hasOwn, cells) as (document: Row) => Row;
  }
}

/** A document with the fields that are wanted on its top level: `address.city` as a field of this name. */
export function flattened(document: Row, wanted: readonly string[]): Row {
  return Object.fromEntries(wanted.map((name) => [name, valueAt(document, name.split('.'))]));
}

/** Through a list the values of each of its items. */
function valueAt(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value;
  if (Array.isArray(value)) {
    const item = /^\d+$/.test(name) ? value[Number(name)] : undefined;
    if (item !== undefined) return valueAt(item, rest);
    const found = value.map((one) => valueAt(one, [name, ...rest])).filter((one) => one !== undefined);
    return found.length === 0 ? undefined : found;
  }
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, name)) return undefined;
  return valueAt((value as Row)[name], rest);
}
