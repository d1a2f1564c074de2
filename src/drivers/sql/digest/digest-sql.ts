import { BUCKETS, type DigestColumn, type DigestRequest } from '../../digest/digest.ts';
import { BUCKET_DIGITS, hasLength, SUM_DIGITS } from '../../digest/row-digest.ts';
import { BoundValues, type SqlFlavor, type SqlStatement } from '../flavor.ts';
import { writePredicate } from '../predicate.ts';

/** What engines write differently of digests. */
export interface DigestWords {
  readonly flavor: SqlFlavor;
  /** Texts one behind the other. */
  concat(texts: readonly string[]): string;
  /** Bytes of a text in UTF-8, as text. */
  bytesOf(text: string): string;
  /** Hexadecimal digits as a number: of a bucket, or of the 64 bits that are summed. */
  bucketNumber(digits: string): string;
  sumNumber(digits: string): string;
  /** A term of ORDER BY by bytes. */
  byBytes(column: string): string;
}

/** A table of the engine, and the text of each column's normal form. */
export interface DigestTable {
  /** Quoted. */
  readonly from: string;
  /** null where the engine cannot write it; it is nullable SQL otherwise. */
  textOf(column: DigestColumn): string | null;
}

/** The statements of a digest. */
export interface DigestStatements {
  /** Rows: bucket, rows, rows that have a digest, sum. */
  readonly sums: SqlStatement;
  /** Rows: hash of the key, hash of the row, the key, the columns. */
  rows(buckets: ReadonlySet<number>): SqlStatement;
}

/** How an engine hashes in a way of its own, as SQL: the bucket of a row, and the number that is summed up. */
export interface OwnHash {
  readonly bucket: string;
  readonly sum: string;
}

/** null where the engine cannot write the normal form of one of the columns. */
export function digestStatements(
  request: DigestRequest,
  table: DigestTable,
  words: DigestWords,
  own: OwnHash | null = null,
): DigestStatements | null {
  const all = [...request.key, ...request.columns];
  const texts = all.map((column) => table.textOf(column));
  if (!texts.every((text) => text !== null)) return null;
  const cells = texts.map((text, at) => cellOf(text, all[at] as DigestColumn, words));
  const keyHash = `md5(${words.concat(cells.slice(0, request.key.length))})`;
  const hashes = [`${keyHash} AS kh`, `md5(${words.concat(cells)}) AS rh`];
  const bucketOf = (hash: string) => words.bucketNumber(`substr(${hash}, 1, ${BUCKET_DIGITS})`);
  const bucket = own?.bucket ?? bucketOf(keyHash);
  const sampled = request.buckets < BUCKETS ? `${bucket} < ${request.buckets}` : '';
  const select = (items: readonly string[], condition: string) => {
    const bound = new BoundValues(words.flavor);
    const conditions = [writePredicate(request.filters, bound), condition].filter((text) => text !== '');
    const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
    return { sql: `SELECT ${items.join(', ')} FROM ${table.from}${where}`, params: bound.values };
  };
  return {
    sums: own === null ? md5Sums() : ownSums(own),
    rows: (buckets) => {
      const few = buckets.size < BUCKETS / 2;
      const named = few
        ? buckets
        : Array.from({ length: request.buckets }, (_, at) => at).filter((at) => !buckets.has(at));
      const list = [...named].join(', ');
      const among = few ? `${bucket} IN (${list})` : list === '' ? '' : `${bucket} NOT IN (${list})`;
      const condition = few ? among : [sampled, among].filter((text) => text !== '').join(' AND ');
      const { sql, params } = select([...hashes, ...texts.map((text, at) => `${text} AS c${at}`)], condition);
      const names = texts.map((_, at) => `, c${at}`).join('');
      const order = `${words.byBytes('kh')}, ${words.byBytes('rh')}`;
      return { sql: `SELECT kh, rh${names} FROM (${sql}) d ORDER BY ${order}`, params };
    },
  };

  function md5Sums(): SqlStatement {
    const { sql, params } = select(hashes, sampled);
    const sum = words.sumNumber(`substr(rh, 1, ${SUM_DIGITS})`);
    return {
      sql: `SELECT ${bucketOf('kh')}, count(*), count(rh), sum(${sum}) FROM (${sql}) d GROUP BY 1`,
      params,
    };
  }

  function ownSums({ bucket: own, sum }: OwnHash): SqlStatement {
    const { sql, params } = select([own, 'count(*)', 'count(*)', `sum(${sum})`], sampled);
    return { sql: `${sql} GROUP BY 1`, params };
  }
}

/** As `encode` writes it. */
function cellOf(text: string, { form }: DigestColumn, words: DigestWords): string {
  const cell = hasLength(form)
    ? words.concat([words.bytesOf(text), `':'`, text])
    : form === 'bytes'
      ? words.concat([`'x'`, text])
      : text;
  return words.concat([`coalesce(${cell}, '')`, `','`]);
}
