import {
  BSON,
  MongoBulkWriteError,
  MongoError,
  MongoNetworkError,
  MongoServerError,
  MongoServerSelectionError,
} from 'mongodb';
import { messageOf } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { outboundErrorIn } from '../../base/outbound/outbound-error.ts';
import { ConnectorError } from '../driver.ts';
import { certificateWords, OTHER_HOST_CODE } from '../server-config.ts';

/** What a call was for: an unfit value is the rows' fault in a load, and the caller's in a read. */
export type MongoUse = 'read' | 'write';

/** https://www.mongodb.com/docs/manual/reference/error-codes/ */
const AUTH: ReadonlySet<unknown> = new Set([11, 13, 18, 31, 33, 8000]);
const UNAVAILABLE: ReadonlySet<unknown> = new Set([
  6, 7, 24, 43, 46, 63, 89, 91, 112, 117, 133, 134, 150, 175, 189, 202, 234, 237, 251, 262, 290, 292, 317,
  358, 384, 9001, 10058, 10107, 11600, 11601, 11602, 13388, 13435, 13436,
]);
const TIMED_OUT: ReadonlySet<unknown> = new Set([50]);
const DUPLICATE: ReadonlySet<unknown> = new Set([11000, 11001, 12582]);
const VALIDATION = 121;
const TOO_LARGE: ReadonlySet<unknown> = new Set([10334, 17280, 17419, 17420]);
/** Of the client, which sends no such document. */
const TOO_LARGE_WORDS = /^Document is larger than the maximum size/;
const CLOSED = /Pool|NotConnected|Topology|Closed/;
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS|ALTNAME/;
const NO_ANSWER = 'MongoDB did not answer in time: check the host and the port, and what lies between';
const NO_HOST: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ENODATA']);

export function isDuplicate(code: unknown): boolean {
  return DUPLICATE.has(code);
}

/**
 * Whether waiting helps as little as it does with a misspelled host or port, with an address that may not be reached, or with a
 * certificate that is not trusted.
 */
export function leadsNowhere(error: unknown): boolean {
  return causesOf(error).some((cause) => {
    const code = isRecord(cause) ? cause['code'] : undefined;
    if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || outboundErrorIn(cause) !== null) return true;
    return typeof code === 'string' && CERTIFICATE.test(code);
  });
}

/** An error of the server or of the way to it as what the caller can act on; never the host. */
export function mongoFault(error: unknown, use: MongoUse): ConnectorError {
  if (error instanceof ConnectorError) return error;
  const made = (fault: ConnectorError['fault'], message: string) =>
    new ConnectorError(fault, message, { cause: error });
  const refused = causesOf(error)
    .map(outboundErrorIn)
    .find((found) => found !== null);
  if (refused) return made('CONFIG', refused.message);
  if (isBulkOfTheWay(error)) return bulkWayFault(error, made);
  if (error instanceof MongoServerError) return serverFault(error, use, made);
  if (use === 'write' && error instanceof MongoError && TOO_LARGE_WORDS.test(error.message))
    return made('DATA', 'A document does not fit: MongoDB takes up to 16 MB');
  if (error instanceof BSON.BSONError || error instanceof RangeError || error instanceof TypeError)
    return made(use === 'write' ? 'DATA' : 'CONFIG', `A value does not fit: ${messageOf(error)}`);
  return wayFault(error, made);
}

/** A bulk that the client ended, not the server: what the client threw is told by its words alone. */
function isBulkOfTheWay(error: unknown): error is MongoBulkWriteError {
  return error instanceof MongoBulkWriteError && typeof error.code !== 'number';
}

function bulkWayFault({ message }: MongoBulkWriteError, made: Made): ConnectorError {
  if (/timed out/i.test(message)) return made('UNAVAILABLE', NO_ANSWER);
  if (/\bconnection\b|\bsocket\b|\bpool\b|topology|ECONN|EPIPE/i.test(message))
    return made(
      'UNAVAILABLE',
      'MongoDB closed the connection while it took rows: it was stopped, or does not know a type of the values',
    );
  return made('CONFIG', `MongoDB refused the call: ${message}`);
}

type Made = (fault: ConnectorError['fault'], message: string) => ConnectorError;

function serverFault(error: MongoServerError, use: MongoUse, made: Made): ConnectorError {
  const { code } = error;
  const words = messageOf(error);
  if (code === 13) return made('AUTH', `The user may not do this: ${words}; grant it a role on the database`);
  if (AUTH.has(code))
    return made(
      'AUTH',
      'MongoDB refused the user or the password: check "user", "password" and "auth_source", or "url"',
    );
  if (TIMED_OUT.has(code))
    return made('UNAVAILABLE', 'The database took longer than "operation_timeout_ms" and stopped');
  if (UNAVAILABLE.has(code)) return made('UNAVAILABLE', `MongoDB is unavailable for now: ${words}`);
  if (code === 14031) return made('TARGET', 'The disk of the target is full');
  if (use === 'write' && (isDuplicate(code) || code === VALIDATION || TOO_LARGE.has(code)))
    return made('DATA', `A document does not fit: ${words}`);
  return made('CONFIG', `MongoDB refused the call: ${words}`);
}

/** What is wrong on the way to the server, and what to do. */
function wayFault(error: unknown, made: Made): ConnectorError {
  const causes = causesOf(error);
  const codes = causes.map((cause) => (isRecord(cause) ? String(cause['code'] ?? '') : ''));
  const words = causes.map(messageOf).join('\n');
  const login = causes.find((cause) => cause instanceof MongoServerError && AUTH.has(cause.code));
  if (login !== undefined) return serverFault(login as MongoServerError, 'read', made);
  if (codes.some((code) => CERTIFICATE.test(code)) || /certificate|altnames/i.test(words))
    return made('CONFIG', certificateWords('MongoDB', codes.includes(OTHER_HOST_CODE)));
  if (codes.some((code) => NO_HOST.has(code)))
    return made('UNAVAILABLE', 'No server has this host name; check "host" or "url"');
  if (/SSL routines|wrong version number|EPROTO/.test(words) || codes.includes('EPROTO'))
    return made('CONFIG', 'MongoDB does not offer encryption here; see "ssl"');
  if (codes.includes('ECONNREFUSED'))
    return made(
      'UNAVAILABLE',
      'MongoDB cannot be reached: nothing listens at this port; check "port" or "url"',
    );
  if (error instanceof MongoServerSelectionError) return made('UNAVAILABLE', selectionWords(error));
  if (/timed out/i.test(words)) return made('UNAVAILABLE', NO_ANSWER);
  if (error instanceof MongoNetworkError)
    return made(
      'UNAVAILABLE',
      'MongoDB cannot be reached, or closed the connection: check the host and the port, and whether the server is running',
    );
  if (error instanceof MongoError && CLOSED.test(error.name))
    return made('UNAVAILABLE', 'The connection to MongoDB was closed');
  if (error instanceof MongoError)
    return made('CONFIG', `MongoDB cannot be used like this: ${error.message}`);
  return made(
    'UNAVAILABLE',
    'MongoDB cannot be reached, or closed the connection: check the host and the port, and whether the server is running',
  );
}

function selectionWords({ reason }: MongoServerSelectionError): string {
  const servers = [...(reason?.servers.values() ?? [])];
  const isClosed = servers.some(({ error }) => error !== null && /closed/.test(messageOf(error)));
  if (isClosed)
    return 'MongoDB closed the connection: it may expect encryption ("ssl"), or not let this address in';
  if (
    reason?.setName !== null &&
    reason?.setName !== undefined &&
    servers.every(({ type }) => type === 'Unknown')
  )
    return 'No server of the replica set answered in time; its members must be reachable under the names that they give each other';
  return NO_ANSWER;
}

/** The error, what caused it, and what a server that could not be selected said. */
function causesOf(error: unknown): unknown[] {
  const found: unknown[] = [];
  const open = [error];
  while (open.length > 0 && found.length < 50) {
    const next = open.shift();
    if (!(next instanceof Error) || found.includes(next)) continue;
    found.push(next, ...(next instanceof AggregateError ? next.errors : []));
    open.push(next.cause);
    if (next instanceof MongoServerSelectionError) {
      for (const { error: ofServer } of next.reason?.servers.values() ?? []) open.push(ofServer);
    }
  }
  return found;
}
