import { canonicalJson, isRecord } from '../../../base/json.ts';
import type { Batch, Column, Row } from '../../driver.ts';
import {
  batchesOf,
  type Check,
  connected,
  methodOf,
  requireFault,
  requireThat,
  rowsOf,
  type Subject,
} from './check.ts';

const SAMPLE_ROWS_MIN = 3;
const BATCH_ROWS = 2;
const PAGES_MAX = 100_000;

const isText = (value: unknown) => typeof value === 'string';
const isNumber = (value: unknown) => typeof value === 'number';

/** What values of a type look like; others may be anything. */
const FITTING: Readonly<Partial<Record<Column['type'], (value: unknown) => boolean>>> = {
  string: isText,
  integer: (value) => Number.isSafeInteger(value) || (isText(value) && /^-?\d+$/.test(value as string)),
  number: isNumber,
  decimal: (value) => isText(value) || isNumber(value),
  boolean: (value) => typeof value === 'boolean',
  date: isText,
  time: isText,
  timestamp: isText,
  binary: (value) => value instanceof Uint8Array,
};

function requireBatch({ columns, rows }: Batch): void {
  const names = columns.map(({ name }) => name);
  for (const row of rows) {
    const extra = Object.keys(row).find((key) => !names.includes(key));
    requireThat(extra === undefined, `A row has "${extra}", which is no column of its batch`);
    for (const { name, type } of columns) {
      const value = row[name];
      requireThat(value !== undefined, `A row has no "${name}"; a value that is not there is null`);
      const fits = value === null || (FITTING[type]?.(value) ?? true);
      requireThat(fits, `A value of "${name}" is no ${type}: ${canonicalJson(value)}`);
    }
  }
}

const told = (rows: readonly Row[]) => rows.map((row) => canonicalJson(row));

async function pages(subject: Subject, resource: string): Promise<Row[]> {
  return connected(subject, async (connection) => {
    const rows: Row[] = [];
    let cursor: string | null = null;
    for (let count = 0; count < PAGES_MAX; count++) {
      const at: { cursor?: string } = cursor === null ? {} : { cursor };
      const { signal } = new AbortController();
      const page = await connection.page({ resource, limit: BATCH_ROWS, signal, ...at });
      requireThat(page.rows.length <= BATCH_ROWS, `A page of ${BATCH_ROWS} rows has ${page.rows.length}`);
      rows.push(...page.rows);
      cursor = page.next_cursor;
      if (cursor === null) return rows;
    }
    requireThat(false, 'The pages do not end');
  });
}

/** Reads, their batches, limits, ends and pages. */
export const READING: readonly Check[] = [
  {
    name: 'read: rows have the columns and the types that their batches name',
    run: (subject) =>
      connected(subject, async (connection) => {
        methodOf(subject, subject.sample.read);
        const batches = await batchesOf(connection, subject.sample.read);
        for (const batch of batches) requireBatch(batch);
        const rows = batches.reduce((sum, batch) => sum + batch.rows.length, 0);
        requireThat(
          rows >= SAMPLE_ROWS_MIN,
          `The sample must have ${SAMPLE_ROWS_MIN} rows or more; ${rows} came`,
        );
        return null;
      }),
  },
  {
    name: 'read: batches of a given size together are the same rows, and a limit holds',
    run: (subject) =>
      connected(subject, async (connection) => {
        const { read } = subject.sample;
        const whole = await rowsOf(connection, read);
        const batches = await batchesOf(connection, read, { batchRows: BATCH_ROWS });
        const large = batches.find(({ rows }) => rows.length > BATCH_ROWS);
        requireThat(large === undefined, `A batch of ${BATCH_ROWS} rows has ${large?.rows.length}`);
        const parts = batches.flatMap(({ rows }) => rows);
        requireThat(
          told(parts).join() === told(whole).join(),
          'Read in batches of 2 rows, the rows are others',
        );
        const some = await rowsOf(connection, read, { limit: BATCH_ROWS });
        requireThat(some.length === BATCH_ROWS, `A limit of ${BATCH_ROWS} rows gives ${some.length}`);
        return null;
      }),
  },
  {
    name: 'read: unknown methods and arguments are refused',
    run: (subject) =>
      connected(subject, async (connection) => {
        const { method, args } = subject.sample.read;
        await requireFault('read() with an unknown method', 'CONFIG', () =>
          rowsOf(connection, { method: 'no_such_method', args: {} }),
        );
        const wrong = { ...(isRecord(args) ? args : {}), no_such_argument: 1 };
        await requireFault('read() with an unknown argument', 'CONFIG', () =>
          rowsOf(connection, { method, args: wrong }),
        );
        return null;
      }),
  },
  {
    name: 'cancel: a read ends when its signal aborts, and the next one on the connection reads everything',
    run: (subject) =>
      connected(subject, async (connection) => {
        const before = new AbortController();
        before.abort(new Error('cancelled'));
        const late = await rowsOf(connection, subject.sample.read, { signal: before.signal }).catch(
          () => null,
        );
        requireThat(late === null, 'A read whose signal has aborted before gives rows all the same');
        const during = new AbortController();
        const request = { ...subject.sample.read, signal: during.signal, batchRows: 1 };
        let batches = 0;
        let hasEnded = false;
        try {
          for await (const _ of connection.read(request)) {
            batches += 1;
            during.abort(new Error('cancelled'));
          }
          hasEnded = true;
        } catch {
          requireThat(during.signal.aborted, 'It failed before it was cancelled');
        }
        requireThat(!hasEnded, `A read that was cancelled after its first batch ends well, after ${batches}`);
        const rows = await rowsOf(connection, subject.sample.read);
        requireThat(rows.length >= SAMPLE_ROWS_MIN, `The read after it gives ${rows.length} rows`);
        return null;
      }),
  },
  {
    name: 'cancel: a reader may leave, and the next one reads everything',
    run: (subject) =>
      connected(subject, async (connection) => {
        const { signal } = new AbortController();
        for await (const _ of connection.read({ ...subject.sample.read, signal, batchRows: 1 })) break;
        const rows = await rowsOf(connection, subject.sample.read);
        requireThat(rows.length >= SAMPLE_ROWS_MIN, `The next read gives ${rows.length} rows`);
        return null;
      }),
  },
  {
    name: 'pages: those of a resource together are its rows',
    run: async (subject) => {
      const { read } = subject.sample;
      const resource = methodOf(subject, read).pageOf?.(read.args)?.resource;
      if (resource === undefined) return 'the method says no resource (pageOf)';
      const whole = await connected(subject, (connection) => rowsOf(connection, read));
      const paged = await pages(subject, resource);
      requireThat(
        told(paged).sort().join() === told(whole).sort().join(),
        `The pages have ${paged.length} rows, or others than the ${whole.length} of the read`,
      );
      return null;
    },
  },
];
