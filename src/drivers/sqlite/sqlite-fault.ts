import { messageOf } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { ConnectorError } from '../driver.ts';

/** What a statement was for: an unfit value is the rows' fault in a load, and the caller's in a read. */
export type SqliteUse = 'read' | 'write' | 'commit';

const CODES = {
  busy: 5,
  locked: 6,
  noMemory: 7,
  readOnly: 8,
  interrupted: 9,
  io: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  tooBig: 18,
  constraint: 19,
  mismatch: 20,
  auth: 23,
  notDatabase: 26,
} as const;
/** SQLITE_IOERR_WRITE, _FSYNC, _TRUNCATE: what a full disk or a file size limit gives where it is not SQLITE_FULL. */
const ioWriteCodes: ReadonlySet<number> = new Set([778, 1034, 1546]);

export const diskFullMessage = 'The disk of the target is full';

/** True for a value that is no number in the column which is the rowid, as SQLite says without a name. */
export function isRowidMismatch(error: unknown): boolean {
  return ((codeOf(error) ?? 0) & 0xff) === CODES.mismatch;
}

function codeOf(error: unknown): number | null {
  return isRecord(error) && typeof error['errcode'] === 'number' ? error['errcode'] : null;
}

export function isBusy(error: unknown): boolean {
  const code = (codeOf(error) ?? 0) & 0xff;
  return code === CODES.busy || code === CODES.locked;
}

/** A value or a row is beyond the engine's limit of length. */
export function isTooBig(error: unknown): boolean {
  return ((codeOf(error) ?? 0) & 0xff) === CODES.tooBig;
}

/** `NOT NULL constraint failed: people.name`, `cannot store TEXT value in INTEGER column people.age`: where it is one column alone. */
const NAMED_COLUMN = /(?:constraint failed:|value in \S+ column) [^,]*\.([^.,]+)$/;

function columnIn(words: string): string | undefined {
  return words.startsWith('CHECK') ? undefined : NAMED_COLUMN.exec(words)?.[1];
}

/** An error of the engine as what the caller can act on. The engine's words are kept where they name the caller's things. */
export function sqliteFault(error: unknown, use: SqliteUse): ConnectorError {
  if (error instanceof ConnectorError) return error;
  const extended = codeOf(error);
  const words = messageOf(error);
  const made = (fault: ConnectorError['fault'], message: string) =>
    new ConnectorError(fault, message, { cause: error, column: columnIn(words) });
  if (extended === null) return made(use === 'read' ? 'CONFIG' : 'DATA', `SQLite refused a value: ${words}`);
  switch (extended & 0xff) {
    case CODES.busy:
    case CODES.locked:
      return made('UNAVAILABLE', 'The database file is locked by another writer; try again later');
    case CODES.full:
      return made('TARGET', diskFullMessage);
    case CODES.io:
      return made(
        'TARGET',
        ioWriteCodes.has(extended)
          ? diskFullMessage
          : 'The database file cannot be read or written: check the disk, and what mounts it',
      );
    case CODES.corrupt:
      return made('TARGET', 'The database file is damaged: restore it from a copy');
    case CODES.notDatabase:
      return made('CONFIG', 'The file is not a SQLite database');
    case CODES.cannotOpen:
      return made(
        'CONFIG',
        'The database file cannot be opened: check its permissions and those of its folder',
      );
    case CODES.readOnly:
      return made(
        'CONFIG',
        'The database file is read-only for this process: check its permissions and those of its folder',
      );
    case CODES.auth:
      return made('CONFIG', `The statement is not allowed here (${words})`);
    case CODES.noMemory:
      return made('UNAVAILABLE', 'The server has too little memory for this statement');
    case CODES.interrupted:
      return made('UNAVAILABLE', 'The statement was cancelled');
    case CODES.constraint:
      return made(use === 'commit' ? 'TARGET' : 'DATA', `A row does not fit: ${words}`);
    case CODES.mismatch:
    case CODES.tooBig:
      return made('DATA', `A value does not fit: ${words}`);
    default:
      return made('CONFIG', `SQLite refused the statement: ${words}`);
  }
}
