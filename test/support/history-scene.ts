import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import type { Test } from 'tap';
import { loadLine } from '../../bench/support/load-lines.ts';
import type { LoadRecord } from '../../bench/support/load-record.ts';
import { logLevelName } from '../../src/base/run-report.ts';
import { selectLogs } from '../../src/modules/run-logs/run-log-store.ts';
import type { Store, Tx } from '../../src/store/store.ts';
import {
  completionOf,
  frameOf,
  newExecutor,
  openPlane,
  type Plane,
  startedRun,
} from '../modules/runs/plane.ts';
import { checkLogContents } from './history-logs.ts';

const SEED = 5;
const LINES = 20;

export interface Scene {
  readonly store: Store;
  readonly plane: Plane;
  readonly runId: number;
  readonly records: LoadRecord[];
}

/** One run, worked off as a simulated executor does it, with the records that it would have left. */
export async function scene(t: Test, store: Store): Promise<Scene> {
  const plane = openPlane(t, store);
  const lease = await startedRun(plane, await newExecutor(plane));
  const place = { run: lease.run_id, attempt: lease.attempt, epoch: lease.epoch, at: 1_000 };
  const lines = Array.from({ length: LINES }, (_, index) =>
    loadLine(SEED, lease.run_id, lease.attempt, index + 1, null),
  );
  await plane.intake.appendLogs(frameOf({ lease, first_seq: 1, lines }));
  await plane.intake.complete(completionOf(lease, { last_log_seq: LINES }));
  const records: LoadRecord[] = [
    { ...place, kind: 'assigned' },
    { ...place, kind: 'sending', to: LINES },
    { ...place, kind: 'acked', to: LINES, sentAt: 1_001 },
    { ...place, kind: 'completing', status: 'success', retryable: false, lastSeq: LINES },
    { ...place, kind: 'completed', outcome: 'ACCEPTED', sentAt: 1_002 },
  ];
  return { store, plane, runId: lease.run_id, records };
}

export const contentsOf = ({ store, records }: Scene) =>
  checkLogContents(records, {
    seed: SEED,
    linesOf: async (id) =>
      (await selectLogs(store.logs, id, { after: { attempt: 0, seq: 0 } }, 1_000)).map((row) => ({
        ...row,
        at: new Date(row.at).toISOString(),
        level: logLevelName(row.level),
        fields: row.fields_json === null ? null : JSON.parse(row.fields_json),
      })),
  });

export async function change(store: Store, statement: string): Promise<void> {
  const inLogs = /\brun_log/.test(statement);
  if (inLogs && store.bulkFiles !== null) {
    const database = new DatabaseSync(store.bulkFiles.logsPath);
    database.exec(statement);
    database.close();
  } else await store.write(async (tx: Tx) => void (await sql.raw(statement).execute(tx)));
}

/** The check is content before the change, and finds it afterwards. */
export async function finds(
  t: Test,
  store: Store,
  check: () => Promise<unknown>,
  statements: readonly string[],
  what: RegExp,
): Promise<void> {
  await t.resolves(check(), 'nothing to find before');
  for (const statement of statements) await change(store, statement);
  await t.rejects(check(), { message: what });
}
