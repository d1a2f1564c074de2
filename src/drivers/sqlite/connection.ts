import {
  type Batch,
  type Column,
  type Connection,
  ConnectorError,
  type Page,
  type PageRequest,
  type ReadRequest,
  type Resource,
  type Row,
  type WriteRequest,
  type Writer,
} from '../driver.ts';
import { parseInput } from '../files/parse-input.ts';
import { writeCount, writeDelete, writeInsert, writeUpdate } from '../sql/change.ts';
import type { SqlStatement } from '../sql/flavor.ts';
import { quoteIdentifier } from '../sql/identifier.ts';
import { loadRows } from '../sql/load-rows.ts';
import * as args from '../sql/method-args.ts';
import { parseSort, writeSelect } from '../sql/select.ts';
import { readTablePage } from '../sql/table-page.ts';
import { fromCell } from './cell.ts';
import { confine, type DatabaseFile } from './database-file.ts';
import { commonColumns, listTables, requireTable, tableNameOf } from './introspect.ts';
import { boundValues, prepareRows, readRows, requireRunning } from './read.ts';
import { requireSingleStatement } from './single-statement.ts';
import { sqliteFault } from './sqlite-fault.ts';
import { sqliteFlavor, toCursor } from './sqlite-flavor.ts';
import { openSqliteWriter } from './write.ts';

/** One database file. Reading runs on read-only handles; see `authorizer.ts` for what they refuse. */
export class SqliteConnection implements Connection {
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
    const statement = readStatement(request);
    const isReadOnly = request.readOnly ?? true;
    const db = isReadOnly
      ? await this.#file.takeReader()
      : confine(await this.#file.openWriting({ foreignKeys: true }));
    try {
      yield* readRows(db, statement, request);
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
            const rows = prepareRows(db, statement.sql).all(
              ...boundValues(statement.params),
            ) as unknown as unknown[][];
            return rows.map((values) =>
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
    switch (method) {
      case 'get':
        return this.#get(parseInput(args.getArgs, input, 'the arguments'), signal);
      case 'count': {
        const { table, filter } = parseInput(args.countArgs, input, 'the arguments');
        return this.#file.reading((db) => {
          const { sql, params } = writeCount(tableSql(table), filter, sqliteFlavor);
          const [value] = prepareRows(db, sql).get(...boundValues(params)) as unknown as unknown[];
          return fromCell(value, 'integer');
        });
      }
      case 'insert': {
        const { table, rows } = parseInput(args.insertArgs, input, 'the arguments');
        return this.#change(writeInsert(tableSql(table), rows, sqliteFlavor));
      }
      case 'update': {
        const { table, set, filter } = parseInput(args.updateArgs, input, 'the arguments');
        return this.#change(writeUpdate(tableSql(table), set, filter, sqliteFlavor));
      }
      case 'delete': {
        const { table, filter } = parseInput(args.deleteArgs, input, 'the arguments');
        return this.#change(writeDelete(tableSql(table), filter, sqliteFlavor));
      }
      case 'execute': {
        const { sql, params } = parseInput(args.queryArgs, input, 'the arguments');
        requireSingleStatement(sql);
        return this.#change({ sql, params: params.map(sqliteFlavor.bind) });
      }
      case 'upsert':
      case 'merge':
        return loadRows(
          (writing) => this.openWriter(writing),
          method,
          parseInput(args.upsertArgs, input, 'the arguments'),
          signal,
        );
      default:
        throw new ConnectorError('CONFIG', `"${method}" is not a method that SQLite can call`);
    }
  }

  async openWriter(request: WriteRequest): Promise<Writer> {
    return openSqliteWriter(this.#file, request);
  }

  async close(): Promise<void> {
    this.#file.close();
  }

  async #get({ table, key }: { table: string; key: Row }, signal: AbortSignal): Promise<Row | null> {
    for await (const batch of this.read({ method: 'list', args: { table, filter: key, limit: 1 }, signal })) {
      return batch.rows[0] ?? null;
    }
    return null;
  }

  async #change(statement: SqlStatement): Promise<{ readonly rows: number }> {
    const db = confine(await this.#file.openWriting({ foreignKeys: true }));
    try {
      const { changes } = db.prepare(statement.sql).run(...boundValues(statement.params));
      return { rows: Number(changes) };
    } catch (error) {
      throw sqliteFault(error, 'write');
    } finally {
      db.close();
    }
  }
}

function tableSql(table: string): string {
  return quoteIdentifier(tableNameOf(table));
}

function readStatement(request: ReadRequest): SqlStatement {
  if (request.method === 'query') {
    const { sql, params } = parseInput(args.queryArgs, request.args, 'the arguments');
    requireSingleStatement(sql);
    return { sql, params: params.map(sqliteFlavor.bind) };
  }
  if (request.method !== 'list') {
    throw new ConnectorError(
      'CONFIG',
      `"${request.method}" is not a method that gives rows; use "query" or "list"`,
    );
  }
  const list = parseInput(args.listArgs, request.args, 'the arguments');
  const items =
    list.columns === undefined || list.columns.length === 0 ? ['*'] : list.columns.map(quoteIdentifier);
  const limit = Math.min(list.limit ?? Number.POSITIVE_INFINITY, request.limit ?? Number.POSITIVE_INFINITY);
  return writeSelect(
    {
      from: tableSql(list.table),
      items,
      filters: [list.filter],
      sort: parseSort(list.sort),
      ...(Number.isFinite(limit) ? { limit } : {}),
    },
    sqliteFlavor,
  );
}
