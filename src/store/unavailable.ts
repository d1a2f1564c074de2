import { AppError } from '../base/errors.ts';

/**
 * How an engine is unavailable. `statement`: this statement alone ran into a limit. `lost`: a connection broke, or none can be
 * made. `unwritable`: it reads, but cannot store any more, as with a full disk. `read_only`: it refuses writes, which is right
 * of a handle for reading.
 */
export type Unavailability = 'statement' | 'lost' | 'unwritable' | 'read_only';

/** By SQLite's primary result code. Source: https://sqlite.org/rescode.html. */
const SQLITE: Readonly<Record<number, Unavailability>> = {
  3: 'unwritable', // PERM
  5: 'statement', // BUSY
  6: 'statement', // LOCKED
  7: 'statement', // NOMEM
  8: 'read_only', // READONLY
  10: 'unwritable', // IOERR
  13: 'unwritable', // FULL
  14: 'unwritable', // CANTOPEN
};

/** By SQLSTATE, or its class. Source: https://www.postgresql.org/docs/18/errcodes-appendix.html. */
const SQLSTATE: Readonly<Record<string, Unavailability>> = {
  '08': 'lost',
  '25006': 'read_only', // a standby after a failover
  '25P03': 'statement', // idle in a transaction for too long
  '28': 'lost',
  '3D000': 'lost',
  '53': 'lost',
  '53100': 'unwritable', // disk full
  '53200': 'statement', // out of memory
  '55P03': 'statement', // waited for a lock for too long
  '57': 'lost',
  '57014': 'statement', // ran for too long
  '58': 'unwritable', // I/O error
};

const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** `pg` gives these no code. */
const PG_MESSAGES: Readonly<Record<string, Unavailability>> = {
  'timeout exceeded when trying to connect': 'statement',
  'Query read timeout': 'lost',
  'Connection terminated': 'lost',
  'Connection terminated unexpectedly': 'lost',
  'Connection terminated due to connection timeout': 'lost',
  'Client has encountered a connection error and is not queryable': 'lost',
  'Client was closed and is not queryable': 'lost',
};

/** Null for every other error, which is one of the statement or of the code. */
export function unavailabilityOf(error: unknown): Unavailability | null {
  if (!(error instanceof Error) || error instanceof AppError) return null;
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown };
  if (typeof errcode === 'number') return SQLITE[errcode & 0xff] ?? null;
  if (typeof code !== 'string') return PG_MESSAGES[error.message] ?? null;
  if (NETWORK.has(code)) return 'lost';
  return SQLSTATE[code] ?? (code.length === 5 ? SQLSTATE[code.slice(0, 2)] : undefined) ?? null;
}
