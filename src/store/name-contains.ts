import { type RawBuilder, sql } from 'kysely';

/** The list filter `q`: a part of the column `name`, in any case; wildcards of the engine are plain characters. */
export function nameContains(q: string): RawBuilder<boolean> {
  const pattern = `%${q.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
  return sql<boolean>`lower(name) like ${pattern} escape '\\'`;
}
