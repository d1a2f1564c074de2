import { existsSync } from 'node:fs';
import type { Test } from 'tap';
import { type LoadRecord, readRecords } from '../../bench/support/load-record.ts';
import type { Store } from '../../src/store/store.ts';
import type { ApiClient } from './api-client.ts';
import type { FaultWorld } from './fault-world.ts';
import { checkHistory } from './history.ts';
import { checkAudit } from './history-audit.ts';
import { checkLetters } from './history-letters.ts';
import { checkLogContents, checkLogs, type StoredLine } from './history-logs.ts';
import {
  type CountedPoints,
  checkMetrics,
  countLocaldbPoints,
  countServerdbPoints,
} from './history-metrics.ts';
import { checkPins, type Pins } from './history-pins.ts';
import { checkCompletions, checkFences, checkViolations, recordsOf } from './history-records.ts';
import { checkTicks } from './history-schedule.ts';
import { checkSecret } from './history-secrets.ts';

const PAGE_LINES = 1_000;

export interface HistoryProof {
  readonly seed: number;
  readonly pins?: Pins;
  /** Planted in log lines, where it must have been redacted. */
  readonly secret?: string;
}

/** Proves every invariant over a world that has come to rest. Needs a living first server: logs are read as anybody reads them. */
export async function proveHistory(t: Test, world: FaultWorld, proof: HistoryProof): Promise<void> {
  const store = await world.openStore();
  const records = readRecords(world.records);
  const prove = (what: string, check: () => unknown) => proves(t, what, check);
  await prove('I3, I4, I5: every run has one legal history', () =>
    checkHistory(store.read, { lostBefore: Date.now() }),
  );
  await prove('I1: logs are dense up to what was acknowledged', () => checkLogs(store.logs));
  await prove('I1: every acknowledged line is there once, as it was sent', async () => {
    const secret = proof.secret ?? null;
    const linesOf = (id: number) => readLines(world.api, id);
    const lines = await checkLogContents(records, { seed: proof.seed, secret, linesOf });
    t.comment(`${lines} lines compared`);
  });
  await prove('I2: one job run for each scheduled time', () => checkTicks(store.read));
  await prove('I3: completions are what executors were told', () => checkCompletions(store.read, records));
  await prove('I4: no older lease wrote after a newer one', () => checkFences(store.read, records));
  await prove('executors were answered nothing wrong', () => checkViolations(records));
  await prove('I8: every change has its audit row', () => checkAudit(store.read));
  await prove('dead letters are open, settled or in hand', () => checkLetters(store.read));
  const { pins, secret } = proof;
  if (pins !== undefined) await prove('I6: pins did not change', () => checkPins(store.read, pins));
  if (secret !== undefined)
    await prove('I7: the secret is nowhere', () => proveSecret(world, store, secret, records));
  const kept = await keptPoints(world, store);
  if (kept !== null) await prove('each batch of metrics is kept once', () => checkMetrics(records, kept));
}

async function keptPoints(world: FaultWorld, store: Store): Promise<CountedPoints | null> {
  if (world.kind === 'postgres') return countServerdbPoints(store);
  return existsSync(world.metricsPath) ? countLocaldbPoints(world.metricsPath) : null;
}

async function proves(t: Test, what: string, check: () => unknown): Promise<void> {
  try {
    await check();
    t.pass(what);
  } catch (error) {
    t.fail(what, { found: (error instanceof Error ? error.message : String(error)).split('\n') });
  }
}

/** The whole log of a run, page by page. */
async function readLines(api: ApiClient, runId: number): Promise<StoredLine[]> {
  const lines: StoredLine[] = [];
  for (let after: string | null = '0.0'; after !== null; ) {
    const page: { result: StoredLine[]; next_cursor: string | null } = await api.get(
      `/api/runs/${runId}/logs?limit=${PAGE_LINES}&after_seq=${after}`,
    );
    lines.push(...page.result);
    after = page.next_cursor;
  }
  return lines;
}

async function proveSecret(
  world: FaultWorld,
  store: Store,
  secret: string,
  records: readonly LoadRecord[],
): Promise<void> {
  const lists = [
    'runs',
    'job-runs',
    'jobs',
    'tasks',
    'connectors',
    'audit-logs',
    'dead-letters',
    'triggers',
    'webhooks',
    'ai/references',
    'server/config',
  ];
  const runs = new Set(recordsOf(records, 'assigned').map((each) => each.run));
  const paths = [
    ...lists.map((name) => `/api/${name}`),
    ...[...runs].slice(0, 20).map((id) => `/api/runs/${id}`),
  ];
  const answers = new Map<string, string>();
  for (const path of paths)
    answers.set(path, JSON.stringify(await world.api.get(path).catch((error: Error) => error.message)));
  const files = [world.metricsPath, `${world.metricsPath}-wal`];
  await checkSecret(secret, { store, files, answers });
}
