import type { RowOrigin } from '../../../base/run-report.ts';
import {
  AbsentResourceError,
  AbsentStoreError,
  type Batch,
  type Column,
  type Connection,
  ConnectorError,
  type Row,
} from '../../../drivers/driver.ts';
import type { TypeWidening, WiderColumn } from '../../../drivers/types/type-bounds.ts';
import type { LoadStep } from '../../../language/task/steps/load/load-step.ts';
import type { OnRowError } from '../../ops/op-part.ts';
import type { Flow } from '../../pipeline/flow.ts';
import { withoutRows } from '../../pipeline/row-origins.ts';
import { untilAborted } from '../../until-aborted.ts';
import { TargetTypes } from './target-types.ts';
import { WiderTypes } from './wider-types.ts';

/** Called with a row that may not go in, and where it comes from; throwing ends the step. */
type OnUnfit = (row: Row, error: unknown, origin?: RowOrigin) => void;

interface TargetFacts {
  readonly foldsNames: boolean;
  /** Of the driver. */
  readonly widening: TypeWidening | undefined;
  readonly warn: (message: string) => void;
}

/**
 * Holds rows against the columns of the target by the step's `schema`. A target that is not there yet gets those of the first batch.
 */
export class TargetColumns {
  readonly #step: LoadStep;
  readonly #object: string;
  readonly #fold: (name: string) => string;
  readonly #warn: (message: string) => void;
  /** null until the first batch where the target is not there. */
  #known: ReadonlySet<string> | null;
  /** Columns that were told of. */
  readonly #told = new Set<string>();
  /** Columns that the load adds to a target that was there, until they are taken. */
  #added: Column[] = [];
  readonly #wasThere: boolean;
  /** null until the first batch where the target is not there, and where any value may go in. */
  #types: TargetTypes | WiderTypes | null = null;
  readonly #widening: TypeWidening | undefined;

  private constructor(
    { step, object, columns }: { step: LoadStep; object: string; columns: readonly Column[] },
    { foldsNames, widening, warn }: TargetFacts,
  ) {
    this.#step = step;
    this.#object = object;
    this.#fold = foldsNames ? (name) => name.toLowerCase() : (name) => name;
    this.#warn = warn;
    this.#widening = widening;
    this.#known = null;
    this.#wasThere = columns.length > 0;
    if (this.#wasThere) this.#learn(columns);
  }

  /** Asks the connector for the target's columns; null for a load that adds what the target lacks, whatever its type. */
  static async of(
    step: LoadStep,
    { run, signal }: Flow,
    connection: Connection,
    object: string,
  ): Promise<TargetColumns | null> {
    const { newColumns, newTypes, onChange, mode } = step;
    const takesAny = newColumns === 'evolve' && newTypes === null && onChange === null;
    if (takesAny || mode === 'delete') return null;
    const describing = connection.describe(object, signal).catch((error: unknown) => {
      if (error instanceof AbsentResourceError || error instanceof AbsentStoreError) return [];
      throw error;
    });
    const columns = await untilAborted(describing, signal);
    const driver = run.plan.connectors.get(step.connector)?.driver;
    const { foldsNames = false } = driver?.capabilities ?? {};
    const warn = (message: string) => run.ports.log('warn', step.id, message);
    return new TargetColumns({ step, object, columns }, { foldsNames, widening: driver?.widening, warn });
  }

  /** What of the batch the target may get. Throws `CONFIG` where a new column, or a value of another type, is a fault. */
  fit(batch: Batch, onUnfit: OnUnfit): Batch {
    if (this.#known === null) this.#learn(batch.columns);
    const errorsOf =
      ({ originOf }: Batch): OnRowError =>
      (row, error, index) =>
        onUnfit(row, error, originOf?.(index));
    const known = this.#step.newColumns === 'evolve' ? batch : this.#knownOnly(batch, errorsOf(batch));
    const fitting = this.#types?.fit(known, errorsOf(known)) ?? known;
    if (this.#wasThere && this.#step.onChange !== null) this.#noteAdded(fitting.columns);
    return fitting;
  }

  #learn(columns: readonly Column[]): void {
    const [step, object, fold, warn] = [this.#step, this.#object, this.#fold, this.#warn];
    this.#known = new Set(columns.map(({ name }) => fold(name)));
    if (step.newTypes === null) return;
    const options = { step, object, columns, fold, warn };
    const isEvolving = step.newTypes === 'evolve' && this.#widening !== undefined;
    this.#types = isEvolving ? new WiderTypes(options, this.#widening) : new TargetTypes(options);
  }

  /** Columns that must be wider before the rows that `fit` gave are written. Each is given once. */
  takeChanges(): readonly WiderColumn[] {
    return this.#types instanceof WiderTypes ? this.#types.takeChanges() : [];
  }

  /** Columns that the load adds to a target that was there before. Each is given once, and only where `schema.on_change` asks. */
  takeAdded(): readonly Column[] {
    const added = this.#added;
    this.#added = [];
    return added;
  }

  #noteAdded(columns: readonly Column[]): void {
    const fresh = columns.filter(({ name }) => this.#known?.has(this.#fold(name)) === false);
    if (fresh.length === 0) return;
    this.#added.push(...fresh);
    this.#known = new Set([...(this.#known ?? []), ...fresh.map(({ name }) => this.#fold(name))]);
  }

  #knownOnly(batch: Batch, onError: OnRowError): Batch {
    const known = this.#known;
    const fresh = batch.columns.filter(({ name }) => known?.has(this.#fold(name)) === false);
    if (fresh.length === 0) return batch;
    const names = fresh.map(({ name }) => name);
    this.#tell(names);
    const columns = batch.columns.filter((column) => !fresh.includes(column));
    if (this.#step.newColumns !== 'discard_row') return { ...batch, columns };
    const dropped: number[] = [];
    for (const [index, row] of batch.rows.entries()) {
      const column = names.find((name) => row[name] !== null && row[name] !== undefined);
      if (column === undefined) continue;
      onError(row, new ConnectorError('DATA', this.#lacks(column), { column }), index);
      dropped.push(index);
    }
    const out = new Set(dropped);
    const originOf = withoutRows(batch.originOf, dropped);
    const rows = out.size === 0 ? batch.rows : batch.rows.filter((_, index) => !out.has(index));
    return { columns, rows, ...(originOf && { originOf }) };
  }

  #tell(names: readonly string[]): void {
    const [first = ''] = names;
    if (this.#step.newColumns === 'freeze')
      throw new ConnectorError('CONFIG', `${this.#lacks(first)}, and "schema.columns" is freeze`);
    for (const name of names.filter((one) => !this.#told.has(one))) {
      this.#told.add(name);
      const rows = this.#step.newColumns === 'discard_row';
      this.#warn(`${this.#lacks(name)}: ${rows ? 'rows with a value in it' : 'its values'} are left out`);
    }
  }

  #lacks(column: string): string {
    return `"${this.#object}" has no column "${column}"`;
  }
}
