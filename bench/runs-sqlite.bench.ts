/**
 * Empty runs claimed, acknowledged and completed by 8 executors over gRPC, with SQLite (`synchronous=FULL`); limit: bare claims
 * alone, one a transaction. Then the time from a run's commit until an executor has it, at moderate load.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { secondsOf } from './support/figure.ts';
import { RunBench } from './support/run-bench.ts';
import { measureRuns } from './support/run-figures.ts';
import { workFolder } from './support/work-folder.ts';

const claims = 4_000;

const folder = workFolder();
const bench = new RunBench({
  folder,
  state: { kind: 'localdb', path: join(folder, 'state.db') },
  planes: 1,
  executors: 8,
  slots: 64,
});

async function limit(): Promise<number> {
  const path = join(folder, 'bare.db');
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA journal_mode = wal; PRAGMA synchronous = full;
    CREATE TABLE bare (id INTEGER PRIMARY KEY, status TEXT, priority INTEGER, available_at INTEGER, epoch INTEGER,
      lease_token TEXT);
    CREATE INDEX bare_queue ON bare (priority DESC, available_at, id) WHERE status = 'queued';
    WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${claims})
    INSERT INTO bare SELECT n, 'queued', 0, n, 0, NULL FROM n`);
  const claim = database.prepare(`UPDATE bare SET status = 'running', epoch = epoch + 1, lease_token = ?
    WHERE id = (SELECT id FROM bare WHERE status = 'queued' ORDER BY priority DESC, available_at, id LIMIT 1)`);
  const seconds = await secondsOf(() => {
    for (let index = 0; index < claims; index++) claim.run('token');
  });
  database.close();
  for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
  return claims / seconds;
}

await measureRuns('runs-sqlite', bench, limit);
