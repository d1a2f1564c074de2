import { ExactNumber } from '../../base/values/exact-number.ts';
import type { Column, ColumnType, Row } from '../../drivers/driver.ts';
import type { Expression } from '../../language/expression/expression.ts';
import type { Op, SetOp } from '../../language/task/steps/ops/transform-ops.ts';
import { RunFault } from '../run-fault.ts';
import { CastError } from './cast/cast-error.ts';
import { castBy } from './cast/cast-value.ts';
import { cellsOf } from './column-types.ts';
import { fieldReader, type MappedField } from './field-mapping.ts';
import { filterOp } from './filter-op.ts';
import { mappedMaker } from './mapped-maker.ts';
import { RowError } from './row-error.ts';
import {
  copyMaker,
  copyRow,
  expressionMaker,
  type FieldMaker,
  fieldsOp,
  plainOp,
  type RowOp,
  type RowShape,
  rebuiltRow,
  type SpreadOp,
  sameRow,
} from './row-op.ts';
import { forColumns, type RowView, rowView } from './row-view.ts';
import { compileUnnest } from './unnest.ts';

export interface OpContext {
  readonly stepId: string;
  /** The mappings of `job_config`, by entry. */
  readonly mappings: ReadonlyMap<string, readonly MappedField[]>;
  /** A warning that does not stop the step; each message is reported once. */
  warn(message: string): void;
}

export interface CompiledOps {
  readonly ops: readonly SpreadOp[];
  readonly shape: RowShape;
}

interface Compiled<O = RowOp> {
  readonly op: O;
  readonly shape: RowShape;
}

/** Operations on one row alone. */
export type PlainOp = Exclude<Op, SetOp | { op: 'flatten' | 'lookup' }>;

const PLAIN_PATH = /^\s*item\.([A-Za-z_][A-Za-z0-9_]*)\s*$/;

/** The operations of a step for rows with these columns. Throws a configuration `RunFault` where they cannot fit. */
export function compileOps(
  ops: readonly PlainOp[],
  columns: readonly Column[],
  context: OpContext,
): CompiledOps {
  let shape: RowShape = { columns, computed: new Set(), owned: false };
  const compiled: SpreadOp[] = [];
  for (const op of ops) {
    const next = compileOp(op, shape, context);
    compiled.push(next.op);
    shape = next.shape;
  }
  return { ops: compiled, shape };
}

function compileOp(op: PlainOp, shape: RowShape, context: OpContext): Compiled<SpreadOp> {
  switch (op.op) {
    case 'filter':
      return { op: filterOp(op.expr, shape.columns), shape };
    case 'map':
      return compileMap(op.fields, shape);
    case 'set':
      return compileSet(op.fields, shape);
    case 'rename':
      return compileRename(op.fields, shape, context);
    case 'drop':
      return compileDrop(op.fields, shape);
    case 'cast':
      return compileCast(op.fields, shape, context);
    case 'mapping':
      return compileMapping(context.mappings.get(op.configKey) ?? [], shape, context);
    case 'unnest':
      return compileUnnest(op, shape);
    case 'validate':
      return { op: validateOp(op.schema), shape };
    default:
      return op satisfies never;
  }
}

function validateOp(check: Extract<Op, { op: 'validate' }>['schema']): RowOp {
  return plainOp((row) => {
    const problem = check(cellsOf(row));
    if (problem === null) return row;
    const { column, message } = problem;
    throw new RowError('SCHEMA_ERROR', message, column, column === null ? null : (row[column] ?? null));
  });
}

type Fields = readonly { readonly name: string; readonly expr: Expression }[];

function compileMap(fields: Fields, shape: RowShape): Compiled {
  const names = fields.map((field) => field.name);
  const made = madeColumns(fields, shape);
  return {
    op: fieldsOp(rebuiltRow(names, []), fieldMakers(fields, shape), fieldsView(fields, shape)),
    shape: { columns: made.columns, computed: made.computed, owned: true },
  };
}

function compileSet(fields: Fields, shape: RowShape): Compiled {
  const made = madeColumns(fields, shape);
  const byName = new Map(made.columns.map((column) => [column.name, column]));
  const kept = shape.columns.map((column) => byName.get(column.name) ?? column);
  const known = new Set(kept.map((column) => column.name));
  const added = made.columns.filter((column) => !known.has(column.name));
  const untouched = [...shape.computed].filter((name) => !byName.has(name));
  return {
    op: fieldsOp(shape.owned ? sameRow : copyRow, fieldMakers(fields, shape), fieldsView(fields, shape)),
    shape: { columns: [...kept, ...added], computed: new Set([...untouched, ...made.computed]), owned: true },
  };
}

/** The columns that expressions make: one that only names a column has that column's type, the others must be looked at. */
function madeColumns(fields: Fields, shape: RowShape): { columns: Column[]; computed: Set<string> } {
  const computed = new Set<string>();
  const columns = fields.map(({ name, expr }): Column => {
    const path = PLAIN_PATH.exec(expr.source)?.[1];
    const source = shape.columns.find((column) => column.name === path);
    if (source !== undefined && !shape.computed.has(source.name)) return { ...source, name, key: false };
    computed.add(name);
    return { name, type: 'unknown', nullable: true };
  });
  return { columns, computed };
}

/** A field that only names a column is that column's, even where it is absent. */
function fieldMakers(fields: Fields, { columns }: RowShape): FieldMaker[] {
  return fields.map(({ name, expr }) => {
    const path = PLAIN_PATH.exec(expr.source)?.[1];
    const isColumn = path !== undefined && columns.some((column) => column.name === path);
    return isColumn ? copyMaker(name, (row) => row[path]) : expressionMaker(name, forColumns(expr, columns));
  });
}

function fieldsView(fields: Fields, { columns }: RowShape): RowView | null {
  return rowView(
    fields.map(({ expr }) => expr),
    columns,
  );
}

function compileRename(
  fields: Readonly<Record<string, string>>,
  shape: RowShape,
  context: OpContext,
): Compiled {
  const renamed = new Map(Object.entries(fields));
  const known = new Set(shape.columns.map((column) => column.name));
  for (const name of renamed.keys()) {
    if (!known.has(name)) context.warn(`rename: there is no column "${name}"`);
  }
  const from = shape.columns.map((column) => column.name);
  const names = from.map((name) => renamed.get(name) ?? name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw configFault(`rename: two columns would be named "${twice}"`, context);
  return {
    op: plainOp(rebuiltRow(names, from)),
    shape: {
      columns: shape.columns.map((column, i) => ({ ...column, name: names[i] as string })),
      computed: new Set([...shape.computed].map((name) => renamed.get(name) ?? name)),
      owned: true,
    },
  };
}

function compileDrop(fields: readonly string[], shape: RowShape): Compiled {
  const dropped = new Set(fields);
  const columns = shape.columns.filter((column) => !dropped.has(column.name));
  const names = columns.map((column) => column.name);
  return {
    op: plainOp(rebuiltRow(names, names)),
    shape: {
      columns,
      computed: new Set([...shape.computed].filter((name) => !dropped.has(name))),
      owned: true,
    },
  };
}

type CastFields = Extract<Op, { op: 'cast' }>['fields'];

function compileCast(fields: CastFields, shape: RowShape, context: OpContext): Compiled {
  const known = new Set(shape.columns.map((column) => column.name));
  for (const { name } of fields) {
    if (!known.has(name)) context.warn(`cast: there is no column "${name}"`);
  }
  const present = fields.filter((field) => known.has(field.name));
  // Bytes are bytes, however their text would be written.
  const isBinary = new Set(shape.columns.filter(({ type }) => type === 'binary').map(({ name }) => name));
  const casts = present
    .filter(({ name, type }) => type !== 'binary' || !isBinary.has(name))
    .map((field) => ({ name: field.name, cast: castBy(field) }));
  const types = new Map<string, ColumnType>(present.map(({ name, type }) => [name, type]));
  const base = shape.owned ? sameRow : copyRow;
  const change = (row: Row): Row => {
    const out = base(row);
    for (const { name, cast } of casts) {
      const value = row[name];
      // What is absent stays so.
      if (value === undefined) continue;
      try {
        out[name] = cast(value instanceof ExactNumber ? value.text : value);
      } catch (error) {
        throw error instanceof CastError ? error.inColumn(name) : error;
      }
    }
    return out;
  };
  return {
    op: plainOp(change),
    shape: {
      columns: shape.columns.map((column): Column => {
        const type = types.get(column.name);
        return type === undefined ? column : { name: column.name, type, nullable: true };
      }),
      computed: new Set([...shape.computed].filter((name) => !types.has(name))),
      owned: true,
    },
  };
}

function compileMapping(fields: readonly MappedField[], shape: RowShape, context: OpContext): Compiled {
  const known = new Map(shape.columns.map((column) => [column.name, column]));
  const names = fields.map((field) => field.target);
  const makers: FieldMaker[] = [];
  const computed = new Set<string>();
  const from = fields.map(({ source, target, transform }) => {
    const root = source.split('.')[0] ?? source;
    if (!known.has(source) && !known.has(root)) context.warn(`mapping: there is no column "${source}"`);
    if (transform === null && known.has(source)) {
      if (shape.computed.has(source)) computed.add(target);
      return source;
    }
    const read = fieldReader(source, new Set(known.keys()));
    const type = known.get(source)?.type ?? 'unknown';
    const typed = transform === null ? null : forColumns(transform, shape.columns, type);
    makers.push(mappedMaker({ target, transform: typed, read, type }));
    computed.add(target);
    return null;
  });
  const columns = fields.map(({ source, target }): Column => {
    const column = known.get(source);
    if (column === undefined || computed.has(target))
      return { name: target, type: 'unknown', nullable: true };
    return { ...column, name: target, key: false };
  });
  const base = rebuiltRow(names, from);
  const view = rowView(
    fields.flatMap(({ transform }) => transform ?? []),
    shape.columns,
  );
  const op = makers.length === 0 ? plainOp(base) : fieldsOp(base, makers, view);
  return { op, shape: { columns, computed, owned: true } };
}

function configFault(message: string, context: OpContext): RunFault {
  return new RunFault('VALIDATION_ERROR', message, { reason: 'config_error', stepId: context.stepId });
}
