import { quoteIdentifier } from '../../../sql/identifier.ts';
import { ownTablePrefix } from '../../introspect.ts';

/** The order in which rows came into a stage; the last one of a key wins. */
export const orderColumn = `${ownTablePrefix}n`;

/** Of a stage: the columns that a row has, as a JSON list; null of a row that has all of them. */
export const shapeColumn = `${ownTablePrefix}given`;

/** What a stage has beside the columns of its rows, as SQL. */
export const stageColumns: readonly string[] = [
  `${quoteIdentifier(orderColumn)} bigint GENERATED ALWAYS AS IDENTITY (CACHE 1000)`,
  `${quoteIdentifier(shapeColumn)} text`,
];

export function isStageColumn(name: string): boolean {
  return name === orderColumn || name === shapeColumn;
}

/** Beginning of the names of tables in which parts of a load wait. */
export const partStagePrefix = `${ownTablePrefix}parts_`;
