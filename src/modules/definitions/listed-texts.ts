import { LRUCache } from 'lru-cache';
import { JsonText } from '../../base/json.ts';
import type { Paging } from '../../http/paging.ts';

/** Of all kept texts of one list together; a text has a thousand or two. */
const KEPT_CHARS_MAX = 4_000_000;

interface TextRow {
  readonly id: number;
  readonly version: number;
  readonly updated_at: number;
  readonly yaml_content: string;
}

/** A row whose text may be the JSON that answers hold. */
export type ListedRow<Row> = Omit<Row, 'yaml_content'> & { yaml_content: string | JsonText };

/**
 * The text of one version. A store that lost its last commits, as one that a replica replaced, may count a version again: not in the
 * same millisecond.
 */
interface KeptText extends Pick<TextRow, 'version' | 'updated_at'> {
  readonly text: JsonText;
}

/**
 * Reads the pages of a list of definitions without the texts that it has answered before: they are most of what a page reads and
 * writes, and a version never gets another one. `select` reads a page of committed rows, without texts where `fields` has none.
 */
export function listedTexts<Query extends { readonly q?: string | undefined }, Row extends TextRow>(
  select: (query: Query, paging: Paging) => Promise<Row[]>,
): (query: Query, paging: Paging) => Promise<ListedRow<Row>[]> {
  const kept = new LRUCache<number, KeptText>({
    maxSize: KEPT_CHARS_MAX,
    sizeCalculation: ({ text }) => text.text.length,
  });

  function isKept(row: ListedRow<Row>): boolean {
    const known = kept.get(row.id);
    if (known === undefined || known.version !== row.version || known.updated_at !== row.updated_at)
      return false;
    row.yaml_content = known.text;
    return true;
  }

  return async (query, paging) => {
    // A search would be made a second time where a text is missing, and costs more than the texts.
    if (query.q !== undefined || paging.fields?.includes('yaml_content') === false)
      return select(query, paging);
    const heads: ListedRow<Row>[] = await select(query, { ...paging, fields: [] });
    if (heads.every(isKept)) return heads;
    const rows = await select(query, paging);
    for (const { id, version, updated_at, yaml_content } of rows)
      kept.set(id, { version, updated_at, text: new JsonText(JSON.stringify(yaml_content)) });
    return rows;
  };
}
