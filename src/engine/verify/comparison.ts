import { join } from 'node:path';
import type { Verification } from '../../base/run-report.ts';
import { BUCKETS, type Digest } from '../../drivers/digest/digest.ts';
import type { FieldPair } from '../../language/task/steps/ops/field-pairs.ts';
import type { Comparing } from '../../language/task/steps/verify/verify-options.ts';
import { tellProgress } from '../report/step-report.ts';
import { type RunState, stateOf } from '../run-state.ts';
import { compareRows, compareSums } from './compare-digests.ts';
import { type ComparedColumns, comparedColumns, sideColumns } from './compared-columns.ts';
import { Differences, KEYS_MAX } from './differences.ts';
import type { Reading } from './reading.ts';
import { StreamDigest } from './stream-digest.ts';

/** How two sides are compared; `id`: of the step. */
export interface ComparedBy extends Pick<Comparing, 'sample' | 'surplus' | 'differencesMax'> {
  readonly id: string;
  readonly key: readonly FieldPair[];
  readonly columns: readonly FieldPair[] | null;
  /** Of a load that finds rows by their key: the last one with a key counts, and what is absent in it stays as it was. */
  readonly isMerged?: boolean;
  /** Columns that are not compared. */
  readonly except?: ReadonlySet<string>;
}

export const SIDES = ['source', 'target'] as const;
type Side = (typeof SIDES)[number];
export type Readings = Readonly<Record<Side, Reading>>;
type Digests = Readonly<Record<Side, Digest>>;

/** Compares two sides, each in a snapshot of its own, and, where they differ, once more in later ones. */
export class Comparison {
  readonly columns: ComparedColumns;
  readonly #by: ComparedBy;
  readonly #run: RunState;
  readonly #signal: AbortSignal;
  readonly #readings: Readings;
  /** Of the keys of what the last comparison found. */
  keys: ReadonlySet<string> = new Set();

  private constructor(
    by: ComparedBy,
    run: RunState,
    signal: AbortSignal,
    readings: Readings,
    columns: ComparedColumns,
  ) {
    this.#by = by;
    this.#run = run;
    this.#signal = signal;
    this.#readings = readings;
    this.columns = columns;
  }

  /** Throws a `RunFault` where columns are missing. */
  static async of(
    by: ComparedBy,
    run: RunState,
    signal: AbortSignal,
    readings: Readings,
  ): Promise<Comparison> {
    const { source, target } = readings;
    const [left, right] = await Promise.all([source.columns(), target.columns()]);
    const engine = source.type === target.type ? source.type : null;
    const columns = comparedColumns(left, right, {
      stepId: by.id,
      key: by.key,
      columns: by.columns,
      except: by.except ?? new Set(),
      engine,
    });
    return new Comparison(by, run, signal, readings, columns);
  }

  async compare(): Promise<Verification> {
    const { surplus, sample, id } = this.#by;
    const { figures } = stateOf(this.#run, id);
    let differences = this.#differences();
    const { digested, ...sums } = await this.#withDigests(async ({ source, target }) => {
      const compared = await compareSums(source, target);
      if (compared.buckets.size > 0) await compareRows(source, target, compared.buckets, differences);
      return { ...compared, digested: { source: madeBy(source), target: madeBy(target) } };
    });
    const before = differences.rows;
    // What has been written meanwhile on one side is on the other one by now, or is on its way.
    if (before > 0 && before <= KEYS_MAX) differences = await this.#lookAgain(differences, sums.buckets);
    this.keys = differences.keys;
    // What was read twice counts once.
    if (this.#by.isMerged === undefined)
      Object.assign(figures, { rows_in: sums.rowsSource, rows_out: sums.rowsTarget });
    const found = differences.found();
    return {
      source: this.#readings.source.label,
      target: this.#readings.target.label,
      equal: found.differing + found.missing + (surplus === 'report' ? found.surplus : 0) === 0,
      rows_source: sums.rowsSource,
      rows_target: sums.rowsTarget,
      ...found,
      settled: before - differences.rows,
      reloaded: 0,
      sample,
      left_out: this.columns.leftOut,
      digested,
    };
  }

  #differences(only: ReadonlySet<string> | null = null): Differences {
    const { differencesMax, surplus, isMerged = false } = this.#by;
    return new Differences(this.columns, {
      listMax: differencesMax,
      only,
      ignoresSurplus: surplus === 'ignore',
      absentIsKept: isMerged,
    });
  }

  async #lookAgain({ keys }: Differences, buckets: ReadonlySet<number>): Promise<Differences> {
    const again = this.#differences(keys);
    await this.#withDigests(({ source, target }) => compareRows(source, target, buckets, again));
    return again;
  }

  /** Snapshots of both sides, taken at the same time. */
  async #withDigests<T>(use: (digests: Digests) => Promise<T>): Promise<T> {
    const { source, target } = this.#readings;
    const isAlike = source.type === target.type;
    let digests = await this.#openBoth(isAlike);
    const { source: left, target: right } = digests;
    // What is written as only one engine writes it needs that engine on both sides.
    if (left.isOwn !== right.isOwn || (isAlike && madeBy(left) !== madeBy(right))) {
      await closeAll(digests);
      digests = await this.#openBoth(false);
    }
    try {
      return await use(digests);
    } finally {
      await closeAll(digests);
    }
  }

  async #openBoth(isAlike: boolean): Promise<Digests> {
    const opened = await Promise.allSettled(SIDES.map((side) => this.#open(side, isAlike)));
    const [source, target] = opened;
    if (source?.status === 'fulfilled' && target?.status === 'fulfilled')
      return { source: source.value, target: target.value };
    for (const result of opened) if (result.status === 'fulfilled') await result.value.close();
    throw opened.find((result) => result.status === 'rejected')?.reason;
  }

  async #open(side: Side, isAlike: boolean): Promise<Digest> {
    const reading = this.#readings[side];
    const { id, sample, isMerged } = this.#by;
    const request = {
      key: sideColumns(this.columns.key, side, isAlike),
      columns: sideColumns(this.columns.columns, side, isAlike),
      buckets: Math.max(1, Math.round(BUCKETS * (sample ?? 1))),
    };
    const digest = await reading.digest(request);
    if (digest !== null) return digest;
    const { spillFolder = null } = this.#run.context;
    const state = stateOf(this.#run, id);
    return new StreamDigest(reading, {
      ...request,
      stepId: id,
      spillFolder: spillFolder === null ? null : join(spillFolder, `${id.replaceAll('/', '-')}-${side}`),
      lastWins: isMerged === true && side === 'source',
      onRows: (rows) => {
        this.#signal.throwIfAborted();
        // The figures of a load are those of its rows.
        if (isMerged !== undefined) return;
        state.figures[side === 'source' ? 'rows_in' : 'rows_out'] += rows;
        tellProgress(this.#run, state);
      },
    });
  }
}

async function closeAll({ source, target }: Digests): Promise<void> {
  await Promise.all([source.close(), target.close()]);
}

function madeBy(digest: Digest): 'engine' | 'rows' {
  return digest instanceof StreamDigest ? 'rows' : 'engine';
}
