import { join } from 'node:path';
import type { Verification } from '../../base/run-report.ts';
import { digestRow } from '../../drivers/digest/row-digest.ts';
import type { Column, Row } from '../../drivers/driver.ts';
import { EMPTYING_MODES, type LoadStep } from '../../language/task/steps/load/load-step.ts';
import type { LoadVerify } from '../../language/task/steps/verify/load-verify.ts';
import type { Flow, Stage } from '../pipeline/flow.ts';
import { sideColumns } from './compared-columns.ts';
import { Comparison } from './comparison.ts';
import { KeptRows } from './kept-rows.ts';
import { columnsIn, openReading, type Reading } from './reading.ts';
import { reloadRows } from './reload-rows.ts';
import { sentenceOf, tellVerified } from './tell-verified.ts';

const MERGING_MODES: readonly LoadStep['mode'][] = ['merge', 'upsert'];

/** Keeps what a load writes, and compares its target with that after the commit. */
export class LoadVerifier {
  readonly #verify: LoadVerify;
  readonly #stage: Stage<LoadStep>;
  readonly #flow: Flow;
  readonly #object: string;
  readonly #rows: KeptRows;

  constructor(verify: LoadVerify, stage: Stage<LoadStep>, flow: Flow, object: string) {
    this.#verify = verify;
    this.#stage = stage;
    this.#flow = flow;
    this.#object = object;
    const { spillFolder = null } = flow.run.context;
    const name = `${flow.run.place}${stage.step.id}-rows`.replaceAll('/', '-');
    this.#rows = new KeptRows(spillFolder === null ? null : join(spillFolder, name), stage.step.id);
  }

  keep(columns: readonly Column[], rows: readonly Row[]): void {
    if (rows.length > 0) this.#rows.keep(columns, rows);
  }

  /** Throws a `RunFault` where rows differ and that fails the step. */
  async verify(): Promise<void> {
    const { run, signal } = this.#flow;
    const { step } = this.#stage;
    const source = this.#keptReading();
    const read = { connector: step.connector, object: this.#object, method: null, args: {} };
    const target = await openReading(read, {}, step.id, run, signal);
    try {
      const comparison = await Comparison.of(this.#comparedBy(), run, signal, { source, target });
      const found = await comparison.compare();
      const differs = found.differing + found.missing > 0;
      const { onDifference } = this.#verify;
      if (differs && onDifference === 'dead_letter') await this.#keepLetters(source, comparison, found);
      const isReloaded = differs && onDifference === 'reload';
      const reloaded = isReloaded ? await reloadRows(step.id, read, run, signal, source, comparison) : 0;
      const last = isReloaded ? { ...(await comparison.compare()), reloaded } : found;
      if (!tellVerified({ id: step.id, onDifference }, run, last)) this.#stage.state.isOdd = true;
    } finally {
      await target.close();
    }
  }

  close(): void {
    this.#rows.close();
  }

  #comparedBy() {
    const { id, key, mode, deleteMissing, lossy } = this.#stage.step;
    const { key: own, columns, sample, differencesMax } = this.#verify;
    const pairOf = (name: string) => ({ left: name, right: name });
    const hasAll = EMPTYING_MODES.includes(mode) || deleteMissing?.action === 'hard';
    return {
      id,
      key: (own ?? key).map(pairOf),
      columns: columns?.map(pairOf) ?? null,
      sample,
      surplus: hasAll ? ('report' as const) : ('ignore' as const),
      differencesMax,
      isMerged: MERGING_MODES.includes(mode),
      // What the load lets them lose is no difference.
      except: new Set(lossy.keys()),
    };
  }

  #keptReading(): Reading {
    const rows = this.#rows;
    async function* batches() {
      yield* rows.batches();
    }
    return {
      type: '',
      label: `rows of ${this.#stage.step.input}`,
      columns: () => columnsIn(batches()),
      batches,
      digest: async () => null,
      close: async () => undefined,
    };
  }

  async #keepLetters(source: Reading, { columns, keys }: Comparison, found: Verification): Promise<void> {
    const { step, state } = this.#stage;
    const { letters } = this.#flow;
    const key = sideColumns(columns.key, 'source');
    const message = `The target does not have this row as it was loaded. ${sentenceOf(found)}`;
    for await (const { rows } of source.batches()) {
      for (const row of rows) {
        if (!keys.has(digestRow(row, key, []).keyHash)) continue;
        letters.add({ step_id: step.id, item: row, code: 'VERIFY_DIFFERS', message });
        state.figures.rows_failed += 1;
      }
      if (letters.overfull) await letters.flush();
    }
    await letters.flush();
  }
}
