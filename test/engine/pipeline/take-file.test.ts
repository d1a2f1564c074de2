import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import type { Connection, Row } from '../../../src/drivers/driver.ts';
import { parquetDriver } from '../../../src/drivers/parquet/driver.ts';
import { runTask } from '../../../src/engine/run-task.ts';
import { allDrivers } from '../../support/all-drivers.ts';
import { fewOrAll } from '../../support/fault-list.ts';
import { type CsvDocument, documents, textOf } from '../sql/csv-documents.ts';
import { contextOf, createKeeper, driversWith, inputOf } from '../support/task-run.ts';

const folder = t.testdir({});
const SELF = /^The engine wrote "out\.parquet" directly from the file "in\.csv"$/;

interface Loading {
  readonly byRows?: boolean;
  /** More keys of the load. */
  readonly keys?: string;
  /** Runs when the engine has the file, before it writes it. */
  readonly onFile?: () => void;
  readonly signal?: AbortSignal;
}

/** A CSV file as Parquet: the run, and what the file holds. */
async function loaded({ byRows = false, keys = 'mode: replace', onFile, signal }: Loading) {
  rmSync(join(folder, 'out.parquet'), { force: true });
  const csv = driversWith('csv', (connection): Connection => {
    const { engineFile, ...others } = connection;
    if (byRows) return others;
    const told = async (request: Parameters<NonNullable<typeof engineFile>>[0]) => {
      const file = (await engineFile?.(request)) ?? null;
      if (file !== null) onFile?.();
      return file;
    };
    return { ...connection, engineFile: told };
  });
  const yaml = `
version: 1
name: file
connectors: { source: {type: csv}, target: {type: parquet} }
steps:
  - { id: read, kind: extract, connector: source, method: read }
  - { id: write, kind: load, input: read, connector: target, object: out.parquet, ${keys} }
`;
  const drivers = { get: (type: string) => (type === 'csv' ? csv : allDrivers).get(type) };
  const connectors = {
    source: { type: 'csv', config: { path: 'in.csv' } },
    target: { type: 'parquet', config: { path: 'out.parquet' } },
  };
  const keeper = createKeeper();
  const context = contextOf({ folder, yaml, connectors, drivers });
  const outcome = await runTask(inputOf({ folder, yaml, connectors, drivers }), keeper.ports, {
    ...context,
    ...(signal !== undefined && { signal }),
  });
  const { status, failure, steps } = outcome;
  // Where a run ends early, of what was on its way more or less has been counted.
  const counts =
    status === 'success' && steps.map(({ step_id, rows_in, rows_out }) => [step_id, rows_in, rows_out]);
  const said = keeper.logs.map(({ message }) => message);
  return {
    isSelf: said.some((text) => SELF.test(text)),
    said,
    made: { status, failure, counts, ...(await held()) },
  };
}

async function held() {
  const path = join(folder, 'out.parquet');
  if (!existsSync(path)) return { columns: null, rows: null };
  const connection = await parquetDriver.connect(
    { path },
    { fileRoots: [folder], forbiddenFiles: [], connectTimeoutMs: 1_000 },
  );
  const { signal } = new AbortController();
  const rows: Row[] = [];
  for await (const batch of connection.read({ method: 'read', args: {}, signal })) rows.push(...batch.rows);
  const columns = (await connection.describe('out.parquet', signal)).map(({ name, type }) => [name, type]);
  await connection.close();
  return { columns, rows };
}

const left = () => readdirSync(tmpdir()).filter((name) => name.startsWith('headgate-copy-'));

t.test('a CSV file that the engine makes into Parquet has the same columns and values', async (t) => {
  let taken = 0;
  const days: fc.Arbitrary<string> = fc.constantFrom(
    '2024-01-05',
    '2024-01-05T10:00:00.5+02:00',
    '2024-01-05T23:30:00-0330',
    '2024-01-05T10:00:00+99:99',
    '2024-01-05 10:00:00',
    '2024-01-05T10:00:00.123456',
    '2024-01-05T10:00:00.1234567Z',
    '2024-01-05 10:00',
    '0000-01-01',
    '0099-12-31T23:59:59Z',
    '9999-12-31T23:59:59.999999Z',
    '1e3',
    'TRUE',
    '-0',
    '-0.0',
    '12345678901.2345',
    '.5',
    '1e400',
    '-9223372036854775808',
  );
  const property = fc.asyncProperty(documents, days, async (document, day) => {
    const text = textOf({ ...document, day });
    writeFileSync(join(folder, 'in.csv'), text);
    const direct = await loaded({});
    const rows = await loaded({ byRows: true });
    if (direct.isSelf) taken += 1;
    t.strictSame(direct.made, rows.made, JSON.stringify(text.slice(-300)));
  });
  const plain: Omit<CsvDocument, 'lines'> = { end: '\n', mark: '', long: true, header: 'a,b,c', day: '' };
  await fc.assert(property, {
    numRuns: fewOrAll(20, 60),
    examples: [
      '2024-01-05',
      '2024-01-05T10:00:00Z',
      '2024-01-05T10:00:00+99:99',
      '2024-01-05 10:00:00.25',
      '0000-01-01',
      '-0.0',
      '1e400',
    ].map((day) => [{ ...plain, lines: [] }, day]),
  });
  t.ok(taken > fewOrAll(3, 5), `${taken} files were written by the engine`);
  t.strictSame(left(), []);
});

t.test('loads that do something to rows take rows, and so does a file that changes meanwhile', async (t) => {
  const text = `id,name\n${'1,a\n'.repeat(2_000)}`;
  writeFileSync(join(folder, 'in.csv'), text);
  t.equal((await loaded({})).isSelf, true);
  for (const keys of [
    'mode: replace, when: "item.id = 1"',
    'mode: replace, audit: {run_id: run}',
    'mode: replace, schema: {columns: freeze}',
  ]) {
    const { isSelf, made } = await loaded({ keys });
    t.strictSame(
      [isSelf, made.status, made.rows?.length],
      [false, 'success', 2_000],
      `${keys}: ${made.failure?.message}`,
    );
  }
  const changed = await loaded({ onFile: () => writeFileSync(join(folder, 'in.csv'), `${text}2,b\n`) });
  t.equal(changed.isSelf, false);
  t.strictSame(left(), []);
});

t.test('a cancel ends the engine, and the file before stays', async (t) => {
  writeFileSync(join(folder, 'in.csv'), `id,name\n${'1,a\n'.repeat(500_000)}`);
  const giveUp = new AbortController();
  const { isSelf, made } = await loaded({
    onFile: () => setImmediate(() => giveUp.abort(new Error('given up'))),
    signal: giveUp.signal,
  });
  t.strictSame([isSelf, made.status === 'success', made.rows], [false, false, null]);
  t.strictSame(left(), []);
  t.strictSame(
    readdirSync(folder).filter((name) => name.includes('staging')),
    [],
  );
});
