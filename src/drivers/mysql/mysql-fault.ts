import { messageOf } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { unreachableReason } from '../../base/outbound/unreachable.ts';
import { ConnectorError } from '../driver.ts';
import { certificateWords, OTHER_HOST_CODE } from '../server-config.ts';
import { UnfitValueError } from '../types/unfit-value-error.ts';
import { AnswerTooLargeError } from './mysql-client.ts';

/**
 * What a statement was for: an unfit value is the rows' fault in a load, that of the source's rows in a `query` without values of its own,
 * and the caller's in another read.
 */
export type MysqlUse = 'read' | 'query' | 'write' | 'commit';

/** By error number: https://dev.mysql.com/doc/mysql-errors/8.4/en/server-error-reference.html, https://mariadb.com/kb/en/mariadb-error-codes/ */
const AUTH: ReadonlySet<number> = new Set([1045, 1130, 1251, 1275, 1698, 1820, 1862, 3118, 4151]);
/** Those that another password does not mend. */
const LOGIN_WORDS: ReadonlyMap<number, string> = new Map([
  [1130, 'MySQL lets nobody in from this address: allow it on the server, as the host of an account'],
  [1820, 'The password of this user has expired: set a new one on the server, and here'],
  [1862, 'The password of this user has expired: set a new one on the server, and here'],
  [3118, 'The account of this user is locked: unlock it on the server'],
  [4151, 'The account of this user is locked: unlock it on the server'],
]);
const DENIED: ReadonlySet<number> = new Set([1142, 1143, 1227, 1370]);
const UNAVAILABLE: ReadonlySet<number> = new Set([
  1040, 1053, 1077, 1105, 1203, 1205, 1213, 1226, 1317, 1637, 1927, 3058, 4031,
]);
const TIMED_OUT: ReadonlySet<number> = new Set([1907, 1969, 3024]);
const TARGET: ReadonlySet<number> = new Set([1030, 1034, 1114, 1194, 1195, 1206, 1712, 1877]);
const DISK_FULL: ReadonlySet<number> = new Set([1021]);
const ROWS: ReadonlySet<number> = new Set([
  1048, 1062, 1169, 1216, 1217, 1364, 1369, 1451, 1452, 1526, 1557, 1586, 1644, 3819, 4025,
]);
const VALUES: ReadonlySet<number> = new Set([
  1153, 1264, 1265, 1292, 1300, 1366, 1367, 1406, 1411, 1416, 3140, 3141, 3156, 3903, 4037, 4038,
]);
/** What only rows bring about, whatever the caller gave: division by zero, more than one row of a subquery. */
const COMPUTED: ReadonlySet<number> = new Set([1242, 1365, 1690]);
const LOCAL_INFILE_OFF: ReadonlySet<number> = new Set([1148, 3948, 4166]);
const DUPLICATE = 1062;
const CERTIFICATE = /CERT|SIGNATURE|SELF_SIGNED|ERR_TLS/;

/** Its number; 0 for what is no error of the server. */
export function serverErrorOf(error: unknown): number {
  return isRecord(error) && typeof error['errno'] === 'number' ? error['errno'] : 0;
}

function codeOf(error: unknown): string {
  return isRecord(error) && typeof error['code'] === 'string' ? error['code'] : '';
}

/** True for an error that the server itself sent in answer to a statement: the session can still be used. */
export function isServerError(error: unknown): boolean {
  return isRecord(error) && typeof error['sqlState'] === 'string' && error['fatal'] !== true;
}

export function isDuplicate(error: unknown): boolean {
  return isServerError(error) && serverErrorOf(error) === DUPLICATE;
}

/** True where the user may not do what a statement asks for. */
export function isDenied(error: unknown): boolean {
  return isServerError(error) && DENIED.has(serverErrorOf(error));
}

/** True where the server does not take LOAD DATA LOCAL from anyone. */
export function isLocalInfileOff(error: unknown): boolean {
  return isServerError(error) && LOCAL_INFILE_OFF.has(serverErrorOf(error));
}

/** `for column `db`.`table`.`age` at row 1`, `Column 'name' cannot be null`, `Field 'x' doesn't have a default value`. */
const NAMED_COLUMN =
  /(?:for column (?:`(?:[^`]|``)*`\.`(?:[^`]|``)*`\.)?|^Column |^Field |^Data truncated for column )(?:`((?:[^`]|``)*)`|'((?:[^']|'')*)')/;
/** `… FOREIGN KEY (`person`) REFERENCES …`; the one of several columns names none. */
const FOREIGN_KEY = /FOREIGN KEY \(`([^`,]+)`\)/;
/** `user 'app'@'10.0.0.7'`: with an address of this machine. */
const ACCOUNT = /user '(?:[^']|'')*'@'(?:[^']|'')*'/;
const KEY_NAME = / for key '(?:[^']*\.)?([^'.]+)'$/;
/** A table of the driver's own in an error's words: it means nothing to the reader. */
const OWN_TABLE = /`(?:[^`]|``)*`\.`_headgate_(?:[^`]|``)*`\.|(?<=for key ')_headgate_\w+\./g;

/** Of a statement with one row, as a rejected row is tried alone: it is no row of the source. */
const ONLY_ROW = / at row 1$/;

/** Columns of a unique index by its name, where it is one column. */
export type KeyColumns = ReadonlyMap<string, string>;

function columnOf(words: string, number: number, keys: KeyColumns): string | undefined {
  if (number === DUPLICATE) return keys.get(KEY_NAME.exec(words)?.[1] ?? '');
  if (number === 1452) return FOREIGN_KEY.exec(words)?.[1];
  const named = NAMED_COLUMN.exec(words);
  return named?.[1] ?? named?.[2];
}

/** An error of the server or of the way to it as what the caller can act on; never the host. */
export function mysqlFault(error: unknown, use: MysqlUse, keys: KeyColumns = new Map()): ConnectorError {
  if (error instanceof ConnectorError) return error;
  const number = serverErrorOf(error);
  const words = messageOf(error).replace(OWN_TABLE, '').replace(ONLY_ROW, '');
  const made = (fault: ConnectorError['fault'], message: string) =>
    new ConnectorError(fault, message, { cause: error, column: columnOf(words, number, keys) });
  // A refused connection is fatal, and said by the server all the same.
  if (number === 1044)
    return made(
      'AUTH',
      use === 'read' || use === 'query'
        ? 'MySQL does not let this user into the database: check its name, and the grants of the user'
        : 'MySQL does not let this user load into the database: check its name, and the grants of the user, which must include CREATE TEMPORARY TABLES',
    );
  if (AUTH.has(number))
    return made(
      'AUTH',
      LOGIN_WORDS.get(number) ??
        'MySQL refused the user or the password: check "user" and "password", or "url"',
    );
  if (number === 1049)
    return made('CONFIG', 'There is no such database on this server: check "database", or the end of "url"');
  if (UNAVAILABLE.has(number)) return made('UNAVAILABLE', `MySQL is unavailable for now: ${words}`);
  if (!isServerError(error)) return wayFault(error, made);
  if (TIMED_OUT.has(number))
    return made(
      'UNAVAILABLE',
      'The statement took too long and was cancelled: see "statement_timeout_ms" of the connector',
    );
  if (DISK_FULL.has(number)) return made('TARGET', 'The disk of the target is full');
  if (TARGET.has(number)) return made('TARGET', `MySQL failed: ${words}`);
  if (COMPUTED.has(number) || (use === 'query' && VALUES.has(number)))
    return made(use === 'commit' ? 'TARGET' : 'DATA', `The rows cannot be computed: ${words}`);
  if (VALUES.has(number)) {
    return use === 'read'
      ? new UnfitValueError(`A value does not fit: ${words}`, error)
      : made(use === 'commit' ? 'TARGET' : 'DATA', `A value does not fit: ${words}`);
  }
  if (ROWS.has(number)) return made(use === 'commit' ? 'TARGET' : 'DATA', `A row does not fit: ${words}`);
  if (DENIED.has(number))
    return made(
      'CONFIG',
      `MySQL refused the statement: ${words.replace(ACCOUNT, 'this user')}; grant it to the user of the connector`,
    );
  return made('CONFIG', `MySQL refused the statement: ${words}`);
}

function wayFault(
  error: unknown,
  made: (fault: ConnectorError['fault'], message: string) => ConnectorError,
): ConnectorError {
  const [words, code] = [messageOf(error), codeOf(error)];
  if (error instanceof AnswerTooLargeError)
    return made('TARGET', `${words}: read fewer rows at once, or fewer columns`);
  if (code === 'HANDSHAKE_NO_SSL_SUPPORT')
    return made('CONFIG', 'MySQL does not offer encryption; see "ssl"');
  if (CERTIFICATE.test(code) || words.includes('certificate') || words.includes('altnames'))
    return made('CONFIG', certificateWords('MySQL', code === OTHER_HOST_CODE || words.includes('altnames')));
  if (code === 'ETIMEDOUT' || code === 'PROTOCOL_SEQUENCE_TIMEOUT')
    return made(
      'UNAVAILABLE',
      'MySQL did not answer in time: check the host and the port, and what lies between',
    );
  if (code === '' && (error instanceof TypeError || error instanceof RangeError))
    return made('DATA', `A value does not fit: ${words}`);
  return made('UNAVAILABLE', `MySQL cannot be reached: ${unreachableReason(error)}`);
}
