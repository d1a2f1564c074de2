import { didYouMean } from '../../base/text/suggest-name.ts';
import type { DigestColumn } from '../../drivers/digest/digest.ts';
import { type NormalForm, normalFormOf } from '../../drivers/digest/normal-form.ts';
import type { Column } from '../../drivers/driver.ts';
import type { FieldPair } from '../../language/task/steps/ops/field-pairs.ts';
import { configFault } from './reading.ts';

/** Columns of one side with those of the other, in the same order. */
export interface ComparedColumns {
  readonly key: readonly ComparedColumn[];
  readonly columns: readonly ComparedColumn[];
  readonly leftOut: readonly string[];
}

export interface ComparedColumn {
  readonly source: string;
  readonly target: string;
  readonly form: NormalForm;
  /** As each side declares it. */
  readonly types: { readonly source: string | undefined; readonly target: string | undefined };
}

interface Wanted {
  readonly stepId: string;
  readonly key: readonly FieldPair[];
  readonly columns: readonly FieldPair[] | null;
  readonly except: ReadonlySet<string>;
  /** The type of the connector where both sides are of the same; else null. */
  readonly engine: string | null;
}

/** Throws a `RunFault` for a column that a side lacks, and where nothing but the key would be compared by default. */
export function comparedColumns(
  source: readonly Column[],
  target: readonly Column[],
  { stepId, key, columns, except, engine }: Wanted,
): ComparedColumns {
  const sides = { source: byName(source), target: byName(target) };
  const pairOf = ({ left, right }: FieldPair): ComparedColumn => {
    const a = sides.source.get(left) ?? missing(stepId, 'source', left, source);
    const b = sides.target.get(right) ?? missing(stepId, 'target', right, target);
    const types = { source: a.native_type, target: b.native_type };
    return { source: left, target: right, form: formOf(a, b, engine), types };
  };
  const keyPairs = key.map(pairOf);
  const isKey = new Set(key.map(({ left }) => left));
  const isTargetKey = new Set(key.map(({ right }) => right));
  const wanted =
    columns?.filter(({ left }) => !isKey.has(left)) ??
    source
      .map(({ name }) => ({ left: name, right: name }))
      .filter(({ left }) => !except.has(left))
      .filter(({ left, right }) => sides.target.has(right) && !isKey.has(left) && !isTargetKey.has(right));
  const used = new Set(wanted.flatMap(({ left, right }) => [left, right]));
  const leftOut = [...source, ...target]
    .map(({ name }) => name)
    .filter((name) => !used.has(name) && !isKey.has(name) && !isTargetKey.has(name));
  return { key: keyPairs, columns: wanted.map(pairOf), leftOut: [...new Set(leftOut)] };
}

function byName(columns: readonly Column[]): ReadonlyMap<string, Column> {
  return new Map(columns.map((column) => [column.name, column]));
}

/** JSON of one engine and type is compared as the engine writes it, and looked at again where that differs. */
function formOf(a: Column, b: Column, engine: string | null): NormalForm {
  const form = normalFormOf(a, b);
  const isOne = engine === 'postgres' && a.native_type !== undefined && a.native_type === b.native_type;
  return form === 'json' && isOne && a.native_type !== 'json' ? 'engine' : form;
}

function missing(stepId: string, side: string, name: string, columns: readonly Column[]): never {
  const names = columns.map((column) => column.name);
  const hint =
    didYouMean(name, names) ||
    (names.length === 0 ? '; it has none' : `; it has ${names.slice(0, 20).join(', ')}`);
  throw configFault(stepId, `The ${side} has no column "${name}"${hint}`);
}

/** The columns as one side names them. `isAlike`: each is told the other side's type, and may be written as its engine does. */
export function sideColumns(
  columns: readonly ComparedColumn[],
  side: 'source' | 'target',
  isAlike = false,
): readonly DigestColumn[] {
  const other = side === 'source' ? 'target' : 'source';
  return columns.map((column) => ({
    name: column[side],
    form: column.form === 'engine' && !isAlike ? 'json' : column.form,
    ...(isAlike ? { peer: column.types[other] } : {}),
  }));
}
