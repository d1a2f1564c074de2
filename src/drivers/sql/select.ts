import { ConnectorError } from '../driver.ts';
import { BoundValues, type SqlFlavor, type SqlStatement } from './flavor.ts';
import { quoteIdentifier } from './identifier.ts';
import { type SqlFilter, writePredicate, writeSearch } from './predicate.ts';

export interface SortTerm {
  readonly column: string;
  readonly descending: boolean;
}

export const sortTermsMax = 16;

/** `['name', '-age']` as terms. Throws `CONFIG` for an empty or a repeated name. */
export function parseSort(sort: readonly string[]): readonly SortTerm[] {
  const terms = sort.map((text) => ({ column: text.replace(/^-/, ''), descending: text.startsWith('-') }));
  const names = new Set(terms.map((term) => term.column));
  if (names.has('') || names.size < terms.length || terms.length > sortTermsMax) {
    throw new ConnectorError(
      'CONFIG',
      `"sort" takes up to ${sortTermsMax} different columns, such as "name" or "-name"`,
    );
  }
  return terms;
}

export interface SelectParts {
  /** The table, quoted. */
  readonly from: string;
  /** What is selected, as SQL. */
  readonly items: readonly string[];
  /** Filters that all hold. */
  readonly filters: readonly SqlFilter[];
  /** A text that one of the columns contains. */
  readonly search?: { readonly text: string; readonly columns: readonly string[] } | null;
  readonly sort: readonly SortTerm[];
  /** Columns that hold no null: their order needs no word on nulls, so that an index can serve it. */
  readonly notNull?: ReadonlySet<string>;
  /** A further condition, written after the values of the filters and the search were bound. */
  readonly after?: (bound: BoundValues) => string;
  readonly limit?: number;
  readonly offset?: number;
}

/** One SELECT; nulls come last, and first when descending, in every engine. */
export function writeSelect(parts: SelectParts, flavor: SqlFlavor): SqlStatement {
  const bound = new BoundValues(flavor);
  const { search } = parts;
  const conditions = [
    writePredicate(parts.filters, bound),
    search == null ? '' : writeSearch(search.columns, search.text, bound),
    parts.after?.(bound) ?? '',
  ].filter((text) => text !== '');
  let sql = `SELECT ${parts.items.join(', ')} FROM ${parts.from}`;
  if (conditions.length > 0) sql += ` WHERE ${conditions.join(' AND ')}`;
  if (parts.sort.length > 0) {
    const terms = parts.sort.map(({ column, descending }) => {
      const name = quoteIdentifier(column);
      const words = `${name}${descending ? ' DESC' : ''}`;
      if (parts.notNull?.has(column) === true) return words;
      return flavor.orderTerm?.(name, descending) ?? `${words} NULLS ${descending ? 'FIRST' : 'LAST'}`;
    });
    sql += ` ORDER BY ${terms.join(', ')}`;
  }
  if (parts.limit !== undefined) sql += ` LIMIT ${bound.add(parts.limit)}`;
  if (parts.offset !== undefined && parts.offset > 0) sql += ` OFFSET ${bound.add(parts.offset)}`;
  return { sql, params: bound.values };
}
