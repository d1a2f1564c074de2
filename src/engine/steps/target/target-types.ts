import { type Batch, type Column, ConnectorError, type Row } from '../../../drivers/driver.ts';
import { CAST_TYPES, type CastType } from '../../../language/task/cast/cast-type.ts';
import type { LoadStep } from '../../../language/task/steps/load/load-step.ts';
import { CastError, shown } from '../../ops/cast/cast-error.ts';
import { type Cast, castTo } from '../../ops/cast/cast-value.ts';
import type { OnRowError } from '../../ops/op-part.ts';
import { withoutRows } from '../../pipeline/row-origins.ts';

/** What the column for values of another type is named after its own. */
const VARIANT_SUFFIX = '__variant';

/** A column of the rows whose type in the target is known. */
interface Typed {
  readonly name: string;
  readonly type: CastType;
  readonly cast: Cast;
  readonly isKey: boolean;
}

export interface TargetTypesOptions {
  readonly step: Pick<LoadStep, 'newTypes' | 'key'>;
  readonly object: string;
  readonly columns: readonly Column[];
  /** A name as the target compares it. */
  readonly fold: (name: string) => string;
  readonly warn: (message: string) => void;
}

/**
 * Holds values against the types of the target by the step's `schema.types`. Text that reads as the type becomes a value of it, and
 * blank text null, as in a `cast`. A key that does not fit fails its row.
 */
export class TargetTypes {
  readonly #options: TargetTypesOptions;
  readonly #types: ReadonlyMap<string, CastType>;
  /** Columns, as the target compares their names, that have one for values of another type. */
  readonly #variants: Set<string>;
  readonly #told = new Set<string>();

  constructor(options: TargetTypesOptions) {
    const { columns, fold } = options;
    this.#options = options;
    const names = new Set(columns.map(({ name }) => fold(name)));
    this.#types = new Map(
      columns.flatMap(({ name, type }) => (isCastType(type) ? [[fold(name), type] as const] : [])),
    );
    this.#variants = new Set([...names].filter((name) => names.has(fold(`${name}${VARIANT_SUFFIX}`))));
  }

  /** The rows that fit; the others go to `onError`. Throws `CONFIG` where a value of another type is a fault. */
  fit(batch: Batch, onError: OnRowError): Batch {
    const typed = this.#typedOf(batch.columns);
    if (typed.length === 0) return batch;
    const dropped: number[] = [];
    const rows: Row[] = [];
    for (const [index, row] of batch.rows.entries()) {
      try {
        rows.push(this.#fitRow(row, typed));
      } catch (error) {
        if (!(error instanceof ConnectorError) || error.fault !== 'DATA') throw error;
        onError(row, error, index);
        dropped.push(index);
      }
    }
    const originOf = withoutRows(batch.originOf, dropped);
    return { ...this.#withVariants(batch.columns, rows), ...(originOf && { originOf }) };
  }

  #typedOf(columns: readonly Column[]): readonly Typed[] {
    const { fold, step } = this.#options;
    return columns.flatMap(({ name }) => {
      const type = this.#types.get(fold(name));
      // Text takes whatever comes.
      if (type === undefined || type === 'string') return [];
      return [{ name, type, cast: castTo(type), isKey: step.key.includes(name) }];
    });
  }

  /** The row itself where nothing of it changes. */
  #fitRow(row: Row, typed: readonly Typed[]): Row {
    let out = row;
    for (const column of typed) {
      const { name, cast } = column;
      const value = row[name];
      if (value === null || value === undefined) continue;
      let changes: Row;
      try {
        const made = cast(value);
        if (typeof value !== 'string' || made === value) continue;
        changes = { [name]: made };
      } catch (error) {
        if (!(error instanceof CastError)) throw error;
        changes = this.#refused(column, value);
      }
      if (out === row) out = { ...row };
      Object.assign(out, changes);
    }
    return out;
  }

  /** What becomes of a row's value of another type. */
  #refused({ name, type, isKey }: Typed, value: unknown): Row {
    const { step, object, fold } = this.#options;
    const problem = `"${name}" of "${object}" is ${type}, and ${shown(value)} is not`;
    if (step.newTypes === 'freeze')
      throw new ConnectorError('CONFIG', `${problem}; "schema.types" is freeze`, { column: name });
    if (step.newTypes === 'discard_row' || isKey) throw new ConnectorError('DATA', problem, { column: name });
    this.#variants.add(fold(name));
    this.#tell(name, type);
    return { [name]: null, [`${name}${VARIANT_SUFFIX}`]: asText(value) };
  }

  #tell(name: string, type: CastType): void {
    if (this.#told.has(name)) return;
    this.#told.add(name);
    const variant = `${name}${VARIANT_SUFFIX}`;
    this.#options.warn(
      `"${name}" of "${this.#options.object}" is ${type}: values that are not go into "${variant}" as text`,
    );
  }

  /** Each column that has one for other values brings it, so that what once stood there goes when the value fits again. */
  #withVariants(columns: readonly Column[], rows: Row[]): Batch {
    const { step, fold } = this.#options;
    const names = columns.map(({ name }) => name).filter((name) => this.#variants.has(fold(name)));
    if (step.newTypes !== 'variant' || names.length === 0) return { columns, rows };
    const added = names.map((name) => `${name}${VARIANT_SUFFIX}`);
    const twice = columns.find(({ name }) => added.some((other) => fold(other) === fold(name)));
    if (twice !== undefined)
      throw new ConnectorError(
        'CONFIG',
        `The rows already have a column "${twice.name}", which "schema.types": variant needs; rename it`,
      );
    const blank = Object.fromEntries(added.map((name) => [name, null]));
    return {
      columns: [...columns, ...added.map((name) => ({ name, type: 'string', nullable: true }) as const)],
      rows: rows.map((row) => ({ ...blank, ...row })),
    };
  }
}

function isCastType(type: string): type is CastType {
  return CAST_TYPES.some((known) => known === type);
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
}
