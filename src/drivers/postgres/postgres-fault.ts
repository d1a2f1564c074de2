import { messageOf } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { unreachableReason } from '../../base/outbound/unreachable.ts';
import { AnswerTooLargeError } from '../../base/pg-pool.ts';
import { ConnectorError } from '../driver.ts';
import { certificateWords, OTHER_HOST_CODE } from '../server-config.ts';
import { UnfitValueError } from '../types/unfit-value-error.ts';

/**
 * What a statement was for: an unfit value is the rows' fault in a load, that of the source's rows in a `query` without values of its own,
 * and the caller's in another read.
 */
export type PostgresUse = 'read' | 'query' | 'write' | 'commit';

/** By SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html): whole codes first, then classes. */
const UNAVAILABLE: ReadonlySet<string> = new Set([
  '53200',
  '53300',
  '53400',
  '55P03',
  '55006',
  '57P01',
  '57P02',
  '57P03',
  '57P05',
]);
/** What only rows bring about, whatever the caller gave: division by zero, logarithms and powers, more than one row of a subquery. */
const COMPUTED: ReadonlySet<string> = new Set(['22012', '2201E', '2201F', '22P01', '21000']);
/** What the server calls the function that refuses another number of values, in any language; its code is that of a broken protocol. */
const BINDING = 'exec_bind_message';
/** https://github.com/postgres/postgres/blob/master/src/backend/catalog/aclchk.c */
const NOT_THE_OWNER = 'must be owner of ';
const CERTIFICATE = /CERT|SIGNATURE|SELF_SIGNED|ERR_TLS/;

/** A text with NUL, also inside of JSON, in place of words about byte sequences. */
const NO_NUL = 'PostgreSQL text cannot contain the character NUL (U+0000); replace it before';

function hasNul(code: string, words: string): boolean {
  return code === '22P05' || (code === '22021' && words.endsWith('0x00'));
}

function codeOf(error: unknown): string {
  return isRecord(error) && typeof error['code'] === 'string' ? error['code'] : '';
}

/** True for an error that the server itself sent: the session can still be used. */
export function isServerError(error: unknown): boolean {
  return isRecord(error) && typeof error['severity'] === 'string' && /^[0-9A-Z]{5}$/.test(codeOf(error));
}

/** The context of an error in a row of a COPY, in any language: `COPY people, line 3, column amount: "x"`. */
const COPY_CONTEXT = /^COPY .+?, \S+ \d+, \S+ (.+?) ?: /m;
/** The detail of an error of a key, in any language: `Key (id)=(3) already exists.` A key of several columns names none. */
const KEY_DETAIL = /\(("?)([^(),"]+)\1\)=\(/;

/** The column that an error of the server names; undefined where none is, or several are. */
function columnOf(error: unknown): string | undefined {
  if (!isRecord(error)) return undefined;
  const { column, detail, where } = error;
  if (typeof column === 'string') return column;
  if (codeOf(error).startsWith('23')) return KEY_DETAIL.exec(String(detail))?.[2];
  return COPY_CONTEXT.exec(String(where))?.[1];
}

/** Rows are checked in a table of the load's own, whose name says nothing to anybody. */
const OWN_TABLE = / (?:for|of|in) relation "_headgate_\w+"/;

/** Two sessions made the same table, column, index or type: what the second one finds depends on how far the first one was. */
const MADE_TWICE: ReadonlySet<string> = new Set(['42P07', '42701', '42710']);
const CONCURRENTLY = 'concurrently updated';

/** True for the error of a statement that makes or changes a table while another session does the same; it may go well after another look. */
export function isDefinitionRace(error: unknown): boolean {
  if (!isRecord(error) || !isServerError(error)) return false;
  const code = codeOf(error);
  if (code === 'XX000') return messageOf(error).includes(CONCURRENTLY);
  return MADE_TWICE.has(code) || (code === '23505' && error['schema'] === 'pg_catalog');
}

/** An error of the server or of the way to it as what the caller can act on; never the host. */
export function postgresFault(error: unknown, use: PostgresUse): ConnectorError {
  if (error instanceof ConnectorError) return error;
  const made = (fault: ConnectorError['fault'], message: string) =>
    new ConnectorError(fault, message, { cause: error, column: columnOf(error) });
  if (!isServerError(error)) return wayFault(error, made);
  const code = codeOf(error);
  const words = hasNul(code, messageOf(error)) ? NO_NUL : messageOf(error).replace(OWN_TABLE, '');
  if (code === '53100') return made('TARGET', 'The disk of the target is full');
  if (code === '57014')
    return made(
      'UNAVAILABLE',
      'The statement took too long and was cancelled: see "statement_timeout_ms" of the connector',
    );
  if (code === '3D000')
    return made('CONFIG', 'There is no such database on this server: check "database", or the end of "url"');
  if (!MADE_TWICE.has(code) && isDefinitionRace(error))
    return made('UNAVAILABLE', `Another session makes or changes the same table at the same time: ${words}`);
  if (UNAVAILABLE.has(code)) return made('UNAVAILABLE', `PostgreSQL is unavailable for now: ${words}`);
  if (isRecord(error) && error['routine'] === BINDING)
    return made(
      'CONFIG',
      `"params" must have one value for each of $1, $2, … of the statement: ${words.replace(/prepared statement ".*?"/, 'the statement')}`,
    );
  if (COMPUTED.has(code) || (use === 'query' && code.startsWith('22')))
    return made(use === 'commit' ? 'TARGET' : 'DATA', `The rows cannot be computed: ${words}`);
  switch (code.slice(0, 2)) {
    case '22':
      return use === 'read'
        ? new UnfitValueError(`A value does not fit: ${words}`, error)
        : made(use === 'commit' ? 'TARGET' : 'DATA', `A value does not fit: ${words}`);
    case '23':
      return made(use === 'commit' ? 'TARGET' : 'DATA', `A row does not fit: ${words}`);
    case '28':
      return made('AUTH', loginWords(words));
    case '08':
    case '40':
      return made('UNAVAILABLE', `PostgreSQL is unavailable for now: ${words}`);
    case '53':
    case '54':
    case '58':
    case 'XX':
      return made('TARGET', `PostgreSQL failed: ${words}`);
    default:
      if (code === '3F000')
        return made(
          'CONFIG',
          `PostgreSQL: ${words}; create it, or correct "schema" or the name of the table`,
        );
      if (code === '42501' && words.startsWith(NOT_THE_OWNER))
        return made(
          'CONFIG',
          `PostgreSQL refused the statement: ${words}; let the user of the connector own it, or change it as its owner, such as by adding the column or the unique index`,
        );
      if (code === '42501')
        return made(
          'CONFIG',
          `PostgreSQL refused the statement: ${words}; grant it to the user of the connector`,
        );
      return made('CONFIG', `PostgreSQL refused the statement: ${words}`);
  }
}

/** Why a login failed; the words of the server name addresses. */
function loginWords(words: string): string {
  if (words.includes('pg_hba.conf'))
    return 'PostgreSQL lets this user into this database neither from here nor in this way: check "ssl", "user" and "database", and pg_hba.conf of the server';
  if (words.includes('is not permitted to log in'))
    return 'PostgreSQL does not let this user log in: give the role LOGIN, or set another "user"';
  return 'PostgreSQL refused the user or the password: check "user" and "password", or "url"';
}

function wayFault(
  error: unknown,
  made: (fault: ConnectorError['fault'], message: string) => ConnectorError,
): ConnectorError {
  const words = messageOf(error);
  if (error instanceof AnswerTooLargeError)
    return made('TARGET', `${words}: read fewer rows at once, or fewer columns`);
  if (CERTIFICATE.test(codeOf(error)))
    return made('CONFIG', certificateWords('PostgreSQL', codeOf(error) === OTHER_HOST_CODE));
  if (words.includes('does not support SSL'))
    return made('CONFIG', 'PostgreSQL does not offer encryption; see "ssl"');
  if (words.includes('timeout'))
    return made(
      'UNAVAILABLE',
      'PostgreSQL did not answer in time: check the host and the port, and what lies between',
    );
  if (words.includes('password must be a string'))
    return made('AUTH', 'PostgreSQL requires a password, but none is configured');
  if (error instanceof TypeError || error instanceof RangeError)
    return made('DATA', `A value does not fit: ${words}`);
  return made('UNAVAILABLE', `PostgreSQL cannot be reached: ${unreachableReason(error)}`);
}
