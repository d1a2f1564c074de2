import { isRecord } from '../../base/json.ts';
import type {
  Batch,
  Column,
  ConnectContext,
  Connection,
  Page,
  PageRequest,
  ReadRequest,
  Resource,
  WriteRequest,
  Writer,
} from '../driver.ts';
import { parseInput } from '../files/parse-input.ts';
import type { Committed, PartedLoad, PartsRequest } from '../load-request.ts';
import { callMethod, readStatement, type SqlTarget } from '../sql/call-method.ts';
import { casePairs } from '../sql/case-pairs.ts';
import type { SqlFlavor, SqlStatement } from '../sql/flavor.ts';
import { quoteIdentifier } from '../sql/identifier.ts';
import { readTablePage } from '../sql/table-page.ts';
import { fromCell, toBound } from './cell.ts';
import { sqliteConfig } from './config.ts';
import { confine, DatabaseFile } from './database-file.ts';
import { requireDistinct } from './fold-name.ts';
import { commonColumns, findTable, listTables, requireTable, tableNameOf } from './introspect.ts';
import { openSqliteParts } from './load/parts/part-stage.ts';
import { openSqliteWriter } from './open-writer.ts';
import { allRows, boundValues, prepareRows, readRows, requireRunning } from './read.ts';
import { requireSingleStatement } from './single-statement.ts';
import { sqliteFault } from './sqlite-fault.ts';

export async function connectSqlite(config: unknown, context: ConnectContext): Promise<Connection> {
  const parsed = parseInput(sqliteConfig, config, 'the configuration');
  return new SqliteConnection(new DatabaseFile(parsed, context));
}

/** One database file. Reading runs on read-only handles; see `database-file.ts` for what they refuse. */
class SqliteConnection implements Connection, SqlTarget {
  readonly title = 'SQLite';
  readonly flavor = sqliteFlavor;
  readonly #file: DatabaseFile;

  constructor(file: DatabaseFile) {
    this.#file = file;
  }

  async test(signal: AbortSignal): Promise<string> {
    requireRunning(signal);
    return this.#file.reading((db) => {
      db.prepare('SELECT count(*) FROM sqlite_schema').get();
      return `SQLite ${db.prepare('SELECT sqlite_version() AS version').get()?.['version']}`;
    });
  }

  async listResources(signal: AbortSignal): Promise<readonly Resource[]> {
    requireRunning(signal);
    return this.#file.reading(listTables);
  }

  async describe(resource: string, signal: AbortSignal): Promise<readonly Column[]> {
    requireRunning(signal);
    return this.#file.reading((db) => commonColumns(requireTable(db, resource)));
  }

  async *read(request: ReadRequest): AsyncGenerator<Batch> {
    const statement = await readStatement(this, request, requireSingleStatement);
    const isReadOnly = request.readOnly ?? true;
    const db = isReadOnly
      ? await this.#file.takeReader()
      : confine(await this.#file.openWriting({ foreignKeys: true }));
    try {
      const table = request.method === 'list' ? findTable(db, listedTable(request.args)) : null;
      yield* readRows(db, statement, { ...request, name: this.#file.name, table });
    } catch (error) {
      throw sqliteFault(error, 'read');
    } finally {
      if (isReadOnly) this.#file.giveReader(db);
      else db.close();
    }
  }

  async page(request: PageRequest): Promise<Page> {
    requireRunning(request.signal);
    return this.#file.reading((db) => {
      const table = requireTable(db, request.resource);
      return readTablePage(
        {
          flavor: sqliteFlavor,
          from: quoteIdentifier(table.name),
          columns: commonColumns(table),
          run: async (statement, shown) => {
            return allRows(db, statement, this.#file.name).map((values) =>
              values.map((value, i) => {
                const column = shown[i];
                return column === undefined ? toCursor(value) : fromCell(value, column.type);
              }),
            );
          },
        },
        request,
      );
    });
  }

  async call(method: string, input: unknown, signal: AbortSignal): Promise<unknown> {
    requireRunning(signal);
    return callMethod(this, method, input, signal);
  }

  async openWriter(request: WriteRequest): Promise<Writer> {
    return openSqliteWriter(this.#file, request);
  }

  async openParts(request: PartsRequest): Promise<PartedLoad<Writer, Committed>> {
    return openSqliteParts(this.#file, request);
  }

  async close(): Promise<void> {
    this.#file.close();
  }

  tableSql(table: string): string {
    return quoteIdentifier(tableNameOf(table));
  }

  requireSingleStatement(sql: string, params: readonly unknown[]): void {
    requireSingleStatement(sql, params);
  }

  async count({ sql, params }: SqlStatement): Promise<unknown> {
    return this.#file.reading((db) => {
      const [value] = prepareRows(db, sql).get(...boundValues(params)) as unknown as unknown[];
      return fromCell(value, 'integer');
    });
  }

  async change(statement: SqlStatement): Promise<{ readonly rows: number }> {
    return this.#file.changing(statement.sql, (db) => {
      const { changes } = db.prepare(statement.sql).run(...boundValues(statement.params));
      return { rows: Number(changes) };
    });
  }
}

/** Of arguments that have been read. */
function listedTable(args: unknown): string {
  return tableNameOf(String(isRecord(args) ? args['table'] : ''));
}

const sqliteFlavor: SqlFlavor = {
  placeholder: () => '?',
  contains: (column, text, bind) => {
    const folded = (sql: string) =>
      casePairs(text).reduce(
        (sum, { lower, upper }) => `replace(${sum}, '${upper}', '${lower}')`,
        `lower(${sql})`,
      );
    return `instr(${folded(column)}, ${folded(bind(text))}) > 0`;
  },
  bind: toBound,
  requireDistinct,
  cursorValue: (column) => column,
  fromCursor: (value) => {
    if (!isRecord(value)) return value;
    if (typeof value['i'] === 'string' && /^-?\d{1,19}$/.test(value['i'])) return BigInt(value['i']);
    return typeof value['b'] === 'string' ? Buffer.from(value['b'], 'base64') : Number(value['f']);
  },
};

/** A stored value as JSON that loses nothing: `{i}` a long integer, `{b}` bytes, `{f}` an infinite number. */
function toCursor(value: unknown): unknown {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : { i: String(value) };
  }
  if (value instanceof Uint8Array) return { b: Buffer.from(value).toString('base64') };
  return typeof value === 'number' && !Number.isFinite(value) ? { f: String(value) } : value;
}
