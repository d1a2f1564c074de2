import { canonicalJson } from '../../../base/json.ts';
import {
  type Batch,
  type Connection,
  ConnectorError,
  type Row,
  type WriteMode,
  type WriteRequest,
  type Writer,
} from '../../driver.ts';
import { keepsRows } from '../../driver-capabilities.ts';
import type { SampleWrite } from '../interface.ts';
import { type Check, connected, requireFault, requireThat, rowsOf, type Subject } from './check.ts';
import { checkVersions } from './versions.ts';

const KEYED: readonly WriteMode[] = ['merge', 'upsert', 'insert_only', 'delete'];

const COLUMNS: Batch['columns'] = [
  { name: 'id', type: 'integer', nullable: false },
  { name: 'name', type: 'string', nullable: true },
];
const ROWS: readonly Row[] = [
  { id: 1, name: 'one' },
  { id: 2, name: 'two' },
  { id: 3, name: null },
];

interface Target {
  readonly connection: Connection;
  readonly write: SampleWrite;
  readonly columns: Batch['columns'];
  readonly rows: readonly Row[];
  readonly key: readonly string[];
  /** Told to each load, so that no two suites have the same. */
  readonly run: string;
}

/** Values as text: a target may have fewer types than the rows. */
function told({ columns }: Target, row: Row): string {
  return canonicalJson(columns.map(({ name }) => String(row[name] ?? '')));
}

async function content(target: Target): Promise<string[]> {
  try {
    const { read } = target.write;
    const rows = typeof read === 'function' ? await read() : await rowsOf(target.connection, read);
    return rows.map((row) => told(target, row)).sort();
  } catch (error) {
    // What is not there yet has no rows.
    if (error instanceof ConnectorError && error.fault === 'CONFIG') return [];
    throw error;
  }
}

function open(
  target: Target,
  mode: WriteMode,
  load: string,
  more: Partial<WriteRequest> = {},
): Promise<Writer> {
  return target.connection.openWriter({
    object: target.write.object,
    mode,
    key: KEYED.includes(mode) ? target.key : [],
    loadId: `${target.run}/${load}`,
    allowEmpty: false,
    signal: new AbortController().signal,
    ...more,
  });
}

function batchOf({ columns }: Target, rows: readonly Row[]): Batch {
  return { columns, rows: rows.map((row) => ({ ...row })) };
}

function expected(target: Target, mode: WriteMode, before: readonly string[]): string[] {
  const written = target.rows.map((row) => told(target, row));
  const others = before.filter((row) => !written.includes(row));
  if (mode === 'append') return [...before, ...written].sort();
  if (mode === 'replace' || mode === 'truncate_insert') return [...written].sort();
  return mode === 'delete' ? others.sort() : [...others, ...written].sort();
}

function requireSame(found: readonly string[], wanted: readonly string[], when: string): void {
  requireThat(
    found.join() === wanted.join(),
    `${when} the target has ${found.length} rows, and ${wanted.length} were expected, or others: ${found.slice(0, 5).join(' ')}`,
  );
}

/** Rows that a load can delete. */
async function fill(target: Target, mode: WriteMode | undefined): Promise<void> {
  requireThat(mode !== undefined, 'There is no mode that adds the rows that "delete" takes away');
  const writer = await open(target, mode, `filled-${performance.now()}`);
  await writer.write(batchOf(target, target.rows));
  await writer.commit(true);
}

interface Mode {
  readonly mode: WriteMode;
  /** One that adds rows. */
  readonly adding: WriteMode | undefined;
  /** Rows of a load that is given up stay. */
  readonly keeps: boolean;
  /** Rows are seen before the commit. */
  readonly shows: boolean;
}

async function checkMode(target: Target, { mode, adding, keeps, shows }: Mode): Promise<void> {
  await target.write.empty?.();
  if (mode === 'delete') await fill(target, adding);
  const before = await content(target);
  await loading(target, mode, mode, async (writer) => {
    requireThat(writer.alreadyDone === null, 'A new load says that it is done already');
    await writer.write(batchOf(target, target.rows));
    if (!shows) requireSame(await content(target), before, 'Before its commit');
    const { rows } = await writer.commit(true);
    requireThat(
      mode === 'delete' || rows === target.rows.length,
      `commit() counts ${rows} rows of ${target.rows.length}`,
    );
  });
  const after = await content(target);
  requireSame(after, expected(target, mode, before), 'After its commit');
  // The answer was lost, so that the same load is sent again.
  await loading(target, mode, mode, async (writer) => {
    if (writer.alreadyDone !== null) return writer.abort();
    await writer.write(batchOf(target, target.rows));
    await writer.commit(true);
  });
  requireSame(await content(target), after, 'After the same load was sent twice');
  await target.write.empty?.();
  if (mode === 'delete') await fill(target, adding);
  const kept = await content(target);
  await loading(target, mode, `${mode}-aborted`, async (writer) => {
    await writer.write(batchOf(target, target.rows.slice(0, 1)));
    await writer.abort();
  });
  if (!keeps) requireSame(await content(target), kept, 'After a load was aborted');
}

/** A load that is given up when the work fails, so that it holds up nothing after it. */
async function loading(
  target: Target,
  mode: WriteMode,
  load: string,
  work: (writer: Writer) => Promise<void>,
): Promise<void> {
  const writer = await open(target, mode, load);
  try {
    await work(writer);
  } catch (error) {
    await writer.abort().catch(() => undefined);
    throw error;
  }
}

function withTarget<T>(
  subject: Subject,
  write: SampleWrite,
  work: (target: Target) => Promise<T>,
): Promise<T> {
  const { rows = ROWS, columns = COLUMNS, key = ['id'] } = write;
  const run = `conformance-${process.pid}-${performance.now()}`;
  return connected(subject, (connection) => work({ connection, write, columns, rows, key, run }));
}

/** One for each mode that the driver declares, those that make what they write to first. */
export function writingChecks({ driver: { capabilities } }: Pick<Subject, 'driver'>): readonly Check[] {
  const { write: modes, showsWhatWasSent: shown = [] } = capabilities;
  const adding = modes.find((mode) => mode !== 'delete');
  const first = (mode: WriteMode) => (mode === 'replace' ? 0 : 1);
  const ordered = [...modes].sort((a, b) => first(a) - first(b));
  const checks = ordered.map(
    (mode): Check => ({
      name: `load ${mode}: visible at its commit, once also when it is sent twice, gone when it is aborted`,
      run: async (subject) => {
        const { write } = subject.sample;
        requireThat(
          write !== undefined,
          `The driver declares the mode "${mode}", and the sample has no "write"`,
        );
        const keeps = keepsRows(capabilities, mode);
        const shows = keeps || shown.includes(mode);
        if (mode === 'scd2') return checkVersions(subject, write);
        await withTarget(subject, write, (target) => checkMode(target, { mode, adding, keeps, shows }));
        return null;
      },
    }),
  );
  const undone = modes.find((mode) => mode !== 'delete' && mode !== 'scd2' && !keepsRows(capabilities, mode));
  return [...checks, ...(undone === undefined ? [] : [cancelling(undone)]), REFUSED];
}

const cancelling = (mode: WriteMode): Check => ({
  name: 'cancel: a load ends when its signal aborts, leaves nothing, and the next one on the connection is whole',
  run: async (subject) => {
    const { write } = subject.sample;
    requireThat(write !== undefined, `The driver declares the mode "${mode}", and the sample has no "write"`);
    await withTarget(subject, write, async (target) => {
      await write.empty?.();
      const before = await content(target);
      const cancel = new AbortController();
      const writer = await open(target, mode, 'cancelled', { signal: cancel.signal });
      await writer.write(batchOf(target, target.rows.slice(0, 1)));
      const writing = writer.write(batchOf(target, target.rows.slice(1, 2)));
      cancel.abort(new Error('cancelled'));
      // The rows may have been taken already.
      await writing.catch(() => undefined);
      await writer.abort();
      requireSame(await content(target), before, 'After a load was cancelled');
      await loading(target, mode, 'after-cancelled', async (next) => {
        await next.write(batchOf(target, target.rows));
        await next.commit(true);
      });
      requireSame(await content(target), expected(target, mode, before), 'After the load that followed');
    });
    return null;
  },
});

const REFUSED: Check = {
  name: 'errors: a row that does not fit is refused by itself, and the load continues',
  run: async (subject) => {
    const { write } = subject.sample;
    const [mode] = subject.driver.capabilities.write;
    if (mode === undefined) {
      await connected(subject, (connection) =>
        requireFault('openWriter() of a driver without modes', 'CONFIG', () =>
          connection.openWriter({
            object: 'x',
            mode: 'append',
            key: [],
            loadId: 'x',
            allowEmpty: false,
            signal: new AbortController().signal,
          }),
        ),
      );
      return null;
    }
    const refused = write?.refused;
    if (write === undefined || refused === undefined) return 'the sample has no row that must be refused';
    return withTarget(subject, write, async (target) => {
      await write.empty?.();
      const writer = await open(target, mode, 'refused', { rowsMayFail: true });
      await writer.write(batchOf(target, target.rows.slice(0, 1)));
      if (writer.refused === undefined)
        await requireFault('The row that must be refused', 'DATA', () =>
          writer.write(batchOf(target, [refused])),
        );
      else {
        await writer.write(batchOf(target, [refused]));
        const [told] = writer.refused();
        requireThat(
          told?.index === 0 && told.error.fault === 'DATA',
          'refused() does not name the row that must be refused',
        );
      }
      await writer.write(batchOf(target, target.rows.slice(1, 2)));
      const { rows } = await writer.commit();
      requireThat(rows === 2, `commit() counts ${rows} rows; 2 were good`);
      const found = await content(target);
      requireThat(!found.includes(told(target, refused)), 'The row that must be refused is in the target');
      return null;
    });
  },
};
