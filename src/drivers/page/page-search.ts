import { ConnectorError, type PageRequest } from '../driver.ts';

export const searchColumnsMax = 50;
export const searchCharsMax = 200;

/** The columns and the text of a page's search, or null without one. Throws `CONFIG` where it is out of bounds. */
export function readSearch(request: PageRequest): NonNullable<PageRequest['search']> | null {
  const { search } = request;
  if (search === undefined) return null;
  if (search.text === '' || search.text.length > searchCharsMax) {
    throw new ConnectorError('CONFIG', `A search takes a text of 1 to ${searchCharsMax} characters`);
  }
  if (search.columns.length === 0 || search.columns.length > searchColumnsMax) {
    throw new ConnectorError('CONFIG', `A search takes 1 to ${searchColumnsMax} columns`);
  }
  return search;
}

/** What a page's cursor is bound to besides its columns: equal for requests that select and order the same rows. */
export function selectionOf(request: PageRequest): Readonly<Record<string, unknown>> {
  const { resource, filter = {}, where = [], search, sort = [] } = request;
  return {
    resource,
    filter,
    sort,
    ...(where.length === 0 ? {} : { where }),
    ...(search === undefined ? {} : { search }),
  };
}

/** Names of the columns by which a page's rows are selected. */
export function selectingColumns({ filter, where = [], search }: PageRequest): readonly string[] {
  return [
    ...new Set([
      ...Object.keys(filter ?? {}),
      ...where.flatMap((conditions) => Object.keys(conditions)),
      ...(search?.columns ?? []),
    ]),
  ];
}
