import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import { JsonText } from '../../base/json.ts';
import { checkedWriter } from '../../http/answers/answer-writer.ts';
import type { Paging } from '../../http/paging.ts';

/** Of all kept answers of one list together; a record has a thousand or two. */
const KEPT_CHARS_MAX = 4_000_000;

/** Every change of a definition changes one of these. */
interface Marks {
  readonly id: number;
  readonly version: number;
  readonly status: string;
  /** A store that lost its last commits, as one that a replica replaced, may count a version again: not in the same millisecond. */
  readonly updated_at: number;
}

interface KeptAnswer extends Marks {
  readonly answer: JsonText;
}

/** A row, or its marks with what it was answered as. */
type Listed<Row> = Row | (Marks & { readonly answer: JsonText });

export interface ListOfRecords<Query, Row> {
  /** Reads a page of committed rows; only `Marks` and the column of the order where `paging.marks` is set. */
  readonly select: (query: Query, paging: Paging) => Promise<Row[]>;
  readonly answer: z.ZodType;
  readonly show: (row: Row) => unknown;
}

/**
 * Reads the pages of a list of definitions without what it has answered before: of these, a page reads from the store only what
 * tells that they are the same still.
 */
export function listedRecords<Query extends { readonly q?: string | undefined }, Row extends Marks>({
  select,
  answer,
  show,
}: ListOfRecords<Query, Row>) {
  const write = checkedWriter(answer, () => undefined);
  const kept = new LRUCache<number, KeptAnswer>({
    maxSize: KEPT_CHARS_MAX,
    sizeCalculation: ({ answer }) => answer.text.length,
  });

  function known(row: Row): Listed<Row> | null {
    const found = kept.get(row.id);
    return found !== undefined &&
      found.version === row.version &&
      found.status === row.status &&
      found.updated_at === row.updated_at
      ? { ...row, answer: found.answer }
      : null;
  }

  function keep(row: Row): Listed<Row> {
    const text = write(show(row));
    if (text === undefined) return row;
    const { id, version, status, updated_at } = row;
    const answer = new JsonText(text);
    kept.set(id, { id, version, status, updated_at, answer });
    return { ...row, answer };
  }

  return {
    async read(query: Query, paging: Paging): Promise<Listed<Row>[]> {
      // A search would be made a second time where a record is missing, and costs more than the records.
      if (query.q !== undefined || paging.fields !== undefined) return select(query, paging);
      const marked = await select(query, { ...paging, marks: true });
      const found = marked.map(known);
      if (found.every((row) => row !== null)) return found;
      return (await select(query, paging)).map(keep);
    },
    show: (row: Listed<Row>): unknown => ('answer' in row ? row.answer : show(row)),
  };
}
