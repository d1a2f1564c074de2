/**
 * Log lines of 16 executors in batches of 100, each acknowledged after its commit (SQLite, `synchronous=FULL`), redacted of the
 * secrets of two connectors; the executors have a process of their own on the same machine. Over gRPC, limit: the same rows by a
 * bare multi-row insert. Over HTTP, limit: gRPC in the same run.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { LogLine } from '../src/protocol/control-plane.ts';
import { measure, median, secondsOf } from './support/figure.ts';
import { executors, sampleLines, startLogPlane } from './support/log-plane.ts';
import { workFolder } from './support/work-folder.ts';

const batches = 300;
const linesPerBatch = 100;
const total = executors * batches * linesPerBatch;
const rowsPerCommit = 25_600;
const rowsPerInsert = 50;
const httpBatches = 60;
const lines = sampleLines(linesPerBatch);
const folder = workFolder();
const plane = await startLogPlane(folder, { SVC_STATE_PATH: join(folder, 'state.db') });

const byGrpc: number[] = [];

async function product(): Promise<number> {
  const { seconds } = await plane.load({ binding: 'grpc', batches, lines });
  byGrpc.push(total / seconds);
  return total / seconds;
}

async function limit(): Promise<number> {
  const path = join(folder, 'bare.db');
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA journal_mode = wal; PRAGMA synchronous = full;
    CREATE TABLE run_logs (run_id bigint NOT NULL, attempt integer NOT NULL, seq bigint NOT NULL, at bigint NOT NULL,
      level smallint NOT NULL, step_id text NOT NULL, message text NOT NULL, fields_json text,
      PRIMARY KEY (run_id, attempt, seq)) WITHOUT ROWID`);
  const groups = Array(rowsPerInsert).fill('(?, 1, ?, ?, 2, ?, ?, NULL)').join(', ');
  const insert = database.prepare(`INSERT INTO run_logs VALUES ${groups}`);
  const seconds = await secondsOf(() => {
    for (let row = 0; row < total; row += rowsPerInsert) {
      if (row % rowsPerCommit === 0) database.exec(row === 0 ? 'BEGIN' : 'COMMIT; BEGIN');
      const values: (string | number)[] = [];
      for (let at = row; at < row + rowsPerInsert; at++) {
        const line = lines[at % linesPerBatch] as LogLine;
        values.push(Math.floor(at / (batches * linesPerBatch)), at, line.at, line.step_id, line.message);
      }
      insert.run(...values);
    }
    database.exec('COMMIT');
  });
  database.close();
  for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
  return total / seconds;
}

/** HTTP at this many lines a request, beside gRPC at 100. */
async function overHttp(linesPerRequest: number, requests: number): Promise<number> {
  const { seconds } = await plane.load({
    binding: 'http',
    batches: requests,
    lines: sampleLines(linesPerRequest),
  });
  return (executors * requests * linesPerRequest) / seconds;
}

try {
  await measure({ name: 'log-ingest-grpc-sqlite', unit: 'lines/s', product, limit });
  const loopMs = plane.loopDelayP99Ms();
  const grpc = async () => median(byGrpc);
  const http = () => overHttp(linesPerBatch, httpBatches);
  await measure({ name: 'log-ingest-http', unit: 'lines/s', product: http, limit: grpc });
  await measure({
    name: 'log-ingest-http-single',
    unit: 'lines/s',
    product: () => overHttp(1, 300),
    limit: grpc,
  });
  await measure({
    name: 'log-ingest-loop-p99',
    unit: 'ms',
    rounds: 1,
    product: async () => loopMs,
    limit: null,
  });
} finally {
  await plane.stop();
}
