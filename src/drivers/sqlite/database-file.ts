import { lstat, realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import { constants, DatabaseSync } from 'node:sqlite';
import { AbsentStoreError, type ConnectContext, ConnectorError } from '../driver.ts';
import { createFileAccess } from '../files/local/file-access.ts';
import { ROW_LIMITS } from '../row-limits.ts';
import type { SqliteConfig } from './config.ts';
import { sqliteFault } from './sqlite-fault.ts';

export const idleHandlesMax = 4;
/** Page cache of the one handle of a file that is lent first: repeated reads of a table of this size need no file. */
const warmCacheKb = 65_536;

/** Statements that leave nothing in the handle that has run them. */
const CHANGES_ROWS = /^\s*(?:insert|update|delete|replace)\b/i;

/** Opens handles of one database file, each time proving that the path leads to a plain file in the allowed folders. */
export class DatabaseFile {
  readonly name: string;
  readonly #config: SqliteConfig;
  readonly #context: ConnectContext;
  /** Read-only handles that wait for their next statement. */
  readonly #idle: DatabaseSync[] = [];
  /** The handle with the large cache; the last of the idle ones. */
  #warm: DatabaseSync | null = null;
  /** A writing handle that waits for the next statement, so that a change of a row need not open the file. */
  #writer: DatabaseSync | null = null;
  #closed = false;

  constructor(config: SqliteConfig, context: ConnectContext) {
    this.name = basename(config.path);
    this.#config = config;
    this.#context = context;
  }

  async exists(): Promise<boolean> {
    const path = await this.#path();
    return (await lstat(path).catch(() => null)) !== null;
  }

  /** Runs `use` with a handle that can only read, whatever it is asked. */
  async reading<T>(use: (db: DatabaseSync) => T | Promise<T>): Promise<T> {
    const db = await this.takeReader();
    try {
      return await use(db);
    } catch (error) {
      throw sqliteFault(error, 'read');
    } finally {
      this.giveReader(db);
    }
  }

  async takeReader(): Promise<DatabaseSync> {
    if (this.#closed) throw new ConnectorError('CONFIG', 'The connector is closed');
    return this.#idle.pop() ?? (await this.#openReader());
  }

  giveReader(db: DatabaseSync): void {
    if (this.#closed) {
      db.close();
      return;
    }
    if (db === this.#warm) this.#idle.push(db);
    else this.#idle.unshift(db);
    if (this.#idle.length > idleHandlesMax) this.#idle.shift()?.close();
  }

  /** Runs `use`, which runs the statement `sql` of a caller, with a confined handle. Two at once have one each. */
  async changing<T>(sql: string, use: (db: DatabaseSync) => T): Promise<T> {
    const waiting = this.#writer;
    this.#writer = null;
    const db = waiting ?? confine(await this.openWriting({ foreignKeys: true }));
    let isKept = false;
    try {
      const result = use(db);
      // Whatever else a statement may be, such as a PRAGMA, it may leave something behind in its handle.
      isKept = CHANGES_ROWS.test(sql) && !db.isTransaction && !this.#closed && this.#writer === null;
      return result;
    } catch (error) {
      throw sqliteFault(error, 'write');
    } finally {
      if (isKept) this.#writer = db;
      else db.close();
    }
  }

  /** A handle that can write to its own file alone; the caller closes it. `foreignKeys`: enforce them. */
  async openWriting(options: { readonly foreignKeys: boolean }): Promise<DatabaseSync> {
    if (this.#closed) throw new ConnectorError('CONFIG', 'The connector is closed');
    const path = await this.#path();
    const isThere = (await lstat(path).catch(() => null)) !== null;
    if (!isThere && !this.#config.create) throw this.#missing();
    const db = this.#open(path, false, options.foreignKeys);
    await this.#requireUnmoved(db, path);
    return db;
  }

  close(): void {
    this.#closed = true;
    for (const db of this.#idle.splice(0)) db.close();
    this.#writer?.close();
    this.#writer = null;
  }

  async #openReader(): Promise<DatabaseSync> {
    const path = await this.#path();
    if ((await lstat(path).catch(() => null)) === null) throw this.#missing();
    const db = this.#open(path, true, false);
    await this.#requireUnmoved(db, path);
    if (this.#warm === null) {
      giveCache(db, warmCacheKb);
      this.#warm = db;
    }
    allowReadingOnly(db);
    return db;
  }

  #open(path: string, readOnly: boolean, foreignKeys: boolean): DatabaseSync {
    try {
      return new DatabaseSync(path, {
        readOnly,
        timeout: this.#config.busy_timeout_ms,
        enableForeignKeyConstraints: foreignKeys,
        enableDoubleQuotedStringLiterals: false,
        allowExtension: false,
        // What is read is bounded inside the engine, before a large value is copied; what is written came from bounded rows.
        ...(readOnly && { limits: { length: ROW_LIMITS.rowCharsMax } }),
      });
    } catch (error) {
      throw sqliteFault(error, 'read');
    }
  }

  /** The engine opens by path: what it opened must still be the plain file that was looked at. */
  async #requireUnmoved(db: DatabaseSync, path: string): Promise<void> {
    const real = await realpath(path).catch(() => null);
    if (real === path) return;
    db.close();
    throw new ConnectorError('CONFIG', `The file "${this.name}" was replaced while it was opened`);
  }

  async #path(): Promise<string> {
    const access = await createFileAccess({
      path: this.#config.path,
      context: this.#context,
      extensions: [],
    });
    if (access.isFolder)
      throw new ConnectorError('CONFIG', 'The "path" of this connector is a folder; name a database file');
    return (await access.target(this.name)).path;
  }

  #missing(): ConnectorError {
    const message = `The database file "${this.name}" does not exist`;
    return this.#config.create
      ? new AbsentStoreError(`${message} yet: the first load makes it, unless "path" is wrong`)
      : new ConnectorError('CONFIG', `${message}: correct "path", or leave out "create: false"`);
  }
}

/** The engine reads the file's head for it: what is no database shows here. */
function giveCache(db: DatabaseSync, kilobytes: number): void {
  try {
    db.exec(`pragma cache_size = -${kilobytes}`);
  } catch (error) {
    db.close();
    throw sqliteFault(error, 'read');
  }
}

/** Adds what a handle for the caller's own writing statements must not do. */
export function confine(db: DatabaseSync): DatabaseSync {
  db.enableDefensive(true);
  allowOwnFileOnly(db);
  return db;
}

/**
 * Functions that reach beyond the database. node:sqlite links none but the first; the others are those of the shell and of
 * common builds, refused so that another build stays closed too.
 */
const REFUSED_FUNCTIONS: ReadonlySet<string> = new Set([
  'load_extension',
  'readfile',
  'writefile',
  'edit',
  'lsdir',
  'fsdir',
  'fts3_tokenizer',
  'sqlar_uncompress',
  'zipfile',
]);

/** Pragmas that only tell of the schema; introspection asks for them. */
const SCHEMA_PRAGMAS: ReadonlySet<string> = new Set([
  'table_info',
  'table_xinfo',
  'table_list',
  'index_list',
  'index_info',
  'index_xinfo',
  'foreign_key_list',
]);

/** Lets statements of the handle read and do nothing else, whatever their text; asked while a statement is compiled. */
function allowReadingOnly(db: DatabaseSync): void {
  db.setAuthorizer((action, first, second) => {
    switch (action) {
      case constants.SQLITE_SELECT:
      case constants.SQLITE_READ:
      case constants.SQLITE_RECURSIVE:
        return constants.SQLITE_OK;
      case constants.SQLITE_FUNCTION:
        return REFUSED_FUNCTIONS.has((second ?? '').toLowerCase())
          ? constants.SQLITE_DENY
          : constants.SQLITE_OK;
      case constants.SQLITE_PRAGMA:
        return SCHEMA_PRAGMAS.has((first ?? '').toLowerCase()) ? constants.SQLITE_OK : constants.SQLITE_DENY;
      default:
        return constants.SQLITE_DENY;
    }
  });
}

/**
 * Keeps a writing handle inside its file. VACUUM is refused with ATTACH: it attaches a database of its own, and looks to
 * the authorizer like an ATTACH whose file is given by an expression.
 */
function allowOwnFileOnly(db: DatabaseSync): void {
  db.setAuthorizer((action, _first, second) => {
    if (action === constants.SQLITE_ATTACH) return constants.SQLITE_DENY;
    if (action === constants.SQLITE_FUNCTION && REFUSED_FUNCTIONS.has((second ?? '').toLowerCase())) {
      return constants.SQLITE_DENY;
    }
    return constants.SQLITE_OK;
  });
}
