/**
 * Bytes that a job run of one task leaves in the state file, measured over a million: the example `csv-to-postgres`, four steps,
 * started by a trigger, ended well at the first attempt. Counted are all tables and indexes of the state (SQLite pages, free room in
 * them too), by table and in all; not the log's file and not the metrics'. The first ones are written by the code that starts,
 * claims and completes runs, the rest are copies of their rows. Limit: 1.2 KB, 1,200 bytes. An argument is the number of runs.
 */
import { join } from 'node:path';
import { silentLogger } from '../src/base/logger.ts';
import { openStore } from '../src/store/open-store.ts';
import { measure } from './support/figure.ts';
import { bytesOfTables, makeExampleJob, multiplyRuns, RunHistory } from './support/run-history.ts';
import { workFolder } from './support/work-folder.ts';

const runs = Number(process.argv[2] ?? 1_000_000);
const written = 2_000;
const perTransaction = 500;
const bytesMax = 1_200;
/** Those of a table that are worth a line. */
const shownMin = 5;

const folder = workFolder();
const path = join(folder, 'state.db');
await makeExampleJob(folder);
const before = bytesOfTables(path);
const store = await openStore({ kind: 'localdb', path }, silentLogger);
const history = new RunHistory(store);
for (let made = 0; made < written; made += perTransaction) await history.add(perTransaction);
await store.close();
multiplyRuns(path, runs);

let total = 0;
for (const [table, bytes] of bytesOfTables(path)) {
  const perRun = (bytes - (before.get(table) ?? 0)) / runs;
  total += perRun;
  if (perRun < shownMin) continue;
  const name = `run-bytes-${table.replaceAll('_', '-')}`;
  await measure({ name, unit: 'bytes/run', rounds: 1, product: async () => perRun, limit: null });
}
await measure({
  name: 'run-bytes',
  unit: 'bytes/run',
  rounds: 1,
  product: async () => total,
  limit: async () => bytesMax,
});
