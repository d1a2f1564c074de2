/**
 * A PostgreSQL table of 1,000,000 rows copied in parts by 2 and by 4 executors of one slot each, which are processes of a real control plane;
 * limit: the same by one of them. Then a SQLite table in parts, which stay with the run; limit: the same without parts.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { partsWorld } from '../test/support/parts-world.ts';
import { median, secondsOf } from './support/figure.ts';
import { makePeopleTable } from './support/people-table.ts';
import { runPipeline } from './support/run-pipeline.ts';
import { workFolder } from './support/work-folder.ts';

const rows = 1_000_000;
const rounds = 3;
const executorsMax = 4;
const folder = workFolder();
const cleanUp: (() => unknown)[] = [];
const place = {
  testdirName: folder,
  testdir: () => {
    mkdirSync(join(folder, 'files'), { recursive: true });
    return folder;
  },
  teardown: (done: () => unknown) => void cleanUp.push(done),
};

/** Medians of so many rounds, in which all are measured in turn; the first is the limit of the others. */
async function compare(ways: Readonly<Record<string, () => Promise<number>>>): Promise<void> {
  const values = Object.entries(ways).map(([name, run]) => ({ name, run, found: [] as number[] }));
  for (let round = 0; round < rounds; round++) for (const { run, found } of values) found.push(await run());
  const [limit = 0] = values.map(({ found }) => median(found));
  for (const { name, found } of values.slice(1)) {
    const value = median(found);
    const rss = Math.round(process.resourceUsage().maxRSS / 1_024);
    console.log(
      `${name} ${value.toFixed(0)} rows/s ${limit.toFixed(0)} ${(value / limit).toFixed(2)} ${rss}MB`,
    );
  }
}

/** From the start of the run to its end, as its record has them. All executors are there; those that do not take part are drained. */
async function shared(): Promise<void> {
  const { executor, start, end, served } = await partsWorld(place, rows);
  for (let at = 1; at <= executorsMax; at++) await executor(`e${at}`);
  const { result } = await served.api.get<{ result: { id: number }[] }>('/api/server/executors');
  const copyBy = (executors: number) => async () => {
    for (const [at, { id }] of result.entries())
      await served.api.post(`/api/server/executors/${id}/${at < executors ? 'resume' : 'drain'}`, {});
    const partition = '{by: id, parts: 16, concurrency: 2}';
    const { id } = await start({ partition, load: 'mode: replace', batch: 1_000 });
    const { status, items, error } = await end(id);
    if (status !== 'success' || items.out !== rows)
      throw new Error(`${status}, ${items.out} rows: ${error?.message}`);
    const { duration_ms } = await served.api.get<{ duration_ms: number }>(`/api/runs/${id}`);
    return (1_000 * rows) / duration_ms;
  };
  await compare({ one: copyBy(1), 'partition-2-executors': copyBy(2), 'partition-4-executors': copyBy(4) });
}

async function local(): Promise<void> {
  makePeopleTable(folder, rows, 'id INTEGER PRIMARY KEY');
  let runId = 0;
  const copy = (partition: string) => async () => {
    const yaml = `
version: 1
name: people
connectors: { source: {type: sqlite}, target: {type: sqlite} }
steps:
  - { id: read, kind: extract, connector: source, method: list, args: {table: people}${partition} }
  - { id: write, kind: load, input: read, connector: target, object: people, mode: append }
`;
    const connector = (name: string) => ({
      name,
      type: 'sqlite',
      config: { path: join(folder, `${name}.db`) },
    });
    const connectors = { source: connector('people'), target: connector('out') };
    const seconds = await secondsOf(() =>
      runPipeline({ yaml, rows, runId: ++runId, fileRoots: [folder], connectors }),
    );
    rmSync(join(folder, 'out.db'));
    return rows / seconds;
  };
  await compare({ whole: copy(''), 'partition-sqlite': copy(', partition: {by: id, parts: 8}') });
}

try {
  await local();
  await shared();
} finally {
  for (const done of cleanUp.reverse()) await done();
}
