import type { Column } from '../../driver.ts';

/** The primary key of the rows' source, where all of it comes; else empty. */
export function sourceKey(columns: readonly Column[]): readonly string[] {
  const key = columns.filter(({ declared }) => declared?.keyColumns !== undefined);
  return key.every(({ declared }) => declared?.keyColumns === key.length) ? key.map(({ name }) => name) : [];
}
