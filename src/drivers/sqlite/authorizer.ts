import { constants, type DatabaseSync } from 'node:sqlite';

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
export function allowReadingOnly(db: DatabaseSync): void {
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
export function allowOwnFileOnly(db: DatabaseSync): void {
  db.setAuthorizer((action, _first, second) => {
    if (action === constants.SQLITE_ATTACH) return constants.SQLITE_DENY;
    if (action === constants.SQLITE_FUNCTION && REFUSED_FUNCTIONS.has((second ?? '').toLowerCase())) {
      return constants.SQLITE_DENY;
    }
    return constants.SQLITE_OK;
  });
}
