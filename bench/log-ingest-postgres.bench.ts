/**
 * Log lines of 16 executors over gRPC, in batches of 100, each acknowledged after its commit in PostgreSQL, redacted of the
 * secrets of two connectors; limit: the same rows by a bare COPY, 1,000 a transaction. Both on one server.
 */
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { LogLine } from '../src/protocol/control-plane.ts';
import { createDatabase } from '../test/support/postgres.ts';
import { measure, secondsOf } from './support/figure.ts';
import { executors, sampleLines, startLogPlane } from './support/log-plane.ts';
import { workFolder } from './support/work-folder.ts';

const batches = 200;
const linesPerBatch = 100;
const total = executors * batches * linesPerBatch;
const rowsPerTransaction = 1_000;
const lines = sampleLines(linesPerBatch);
const cleanUp: (() => unknown)[] = [];
const { url } = await createDatabase({ teardown: (fn) => cleanUp.push(fn) });
const client = new pg.Client({ connectionString: url });
await client.connect();
const plane = await startLogPlane(workFolder(), { SVC_STATE_URL: url });

async function product(): Promise<number> {
  const { seconds } = await plane.load({ binding: 'grpc', batches, lines });
  return total / seconds;
}

async function limit(): Promise<number> {
  await client.query(`DROP TABLE IF EXISTS bare_logs;
    CREATE TABLE bare_logs (run_id bigint NOT NULL, attempt integer NOT NULL, seq bigint NOT NULL, at bigint NOT NULL,
      level smallint NOT NULL, step_id text NOT NULL, message text NOT NULL, fields_json text, day integer NOT NULL,
      PRIMARY KEY (run_id, attempt, seq, day))`);
  const seconds = await secondsOf(async () => {
    for (let row = 0; row < total; row += rowsPerTransaction) {
      let text = '';
      for (let at = row; at < row + rowsPerTransaction; at++) {
        const line = lines[at % linesPerBatch] as LogLine;
        const runId = Math.floor(at / (batches * linesPerBatch));
        text += `${runId}\t1\t${at}\t${line.at}\t2\t${line.step_id}\t${line.message}\t\\N\t20000\n`;
      }
      await pipeline([Buffer.from(text)], client.query(copyFrom('COPY bare_logs FROM STDIN')));
    }
  });
  return total / seconds;
}

try {
  await measure({ name: 'log-ingest-grpc-postgres', unit: 'lines/s', product, limit });
} finally {
  await plane.stop();
  await client.end();
  for (const clean of cleanUp) await clean();
}
