import { type RawBuilder, sql } from 'kysely';

/** Beyond ASCII, which lower() of SQLite and of a PostgreSQL with the locale C leave as it is. */
const STRANGE = /[^\0-\u007f]/gu;

/**
 * The condition of rows whose column has `text` in it, or begins with it, in any case and in every alphabet. Wildcards of the engine are
 * plain characters. An index of `lower(column)` is used for the characters of ASCII.
 */
export function textMatch(
  column: RawBuilder<string>,
  text: string,
  place: 'inside' | 'start',
): RawBuilder<boolean> {
  const wanted = text.toLowerCase();
  const strange = [...new Set(wanted.match(STRANGE) ?? [])];
  const plain = sql<string>`lower(${column})`;
  const pattern = (part: string) => `${place === 'start' ? '' : '%'}${part}%`;
  const escaped = wanted.replace(/[\\%_]/g, '\\$&');
  const like = (lowered: RawBuilder<string>, part: string) =>
    sql<boolean>`${lowered} like ${pattern(part)} escape '\\'`;
  if (strange.length === 0) return like(plain, escaped);
  const lowered = strange.reduce((inner, character) => {
    const upper = character.toUpperCase();
    const isOne = upper !== character && Array.from(upper).length === 1;
    return isOne ? sql<string>`replace(${inner}, ${upper}, ${character})` : inner;
  }, plain);
  return sql<boolean>`(${like(plain, escaped.replace(STRANGE, '_'))} and ${like(lowered, escaped)})`;
}
