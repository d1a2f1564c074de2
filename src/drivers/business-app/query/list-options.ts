import { ConnectorError } from '../../driver.ts';
import type { OdataListArgs } from '../config.ts';
import { type Options, orderOf } from './address.ts';
import { type FilterStyle, FilterWriter } from './filter.ts';
import { propertyAt, type Subject } from './property.ts';

type Selection = Pick<OdataListArgs, 'filter' | 'where'>;

/** The `$filter` of both kinds of conditions; empty without any. */
export function filterOf({ filter, where }: Selection, subject: Subject | null, style: FilterStyle): string {
  const conditions = new FilterWriter(subject, style).conditions([filter]);
  if (where === undefined) return conditions;
  const own = balanced(where);
  return conditions === '' ? own : `${conditions} and (${own})`;
}

/** The options of a list. An aggregation begins with the records that the conditions leave. */
export function listOptions(args: OdataListArgs, subject: Subject | null, style: FilterStyle): Options {
  const { apply, columns, expand, sort, top } = args;
  const filter = filterOf(args, subject, style);
  const common = {
    $expand: expand?.join(','),
    $orderby: apply === undefined ? orderOf(sort, subject) : orderOf(sort, null),
    $top: top,
  };
  if (apply !== undefined) {
    if (columns !== undefined)
      throw new ConnectorError(
        'CONFIG',
        '"columns" and "apply" do not go together: an aggregation names its own',
      );
    return { ...common, $apply: filter === '' ? apply : `filter(${filter})/${apply}` };
  }
  return { $select: selectOf(columns, subject), $filter: filter, ...common };
}

/** `$select`; annotations come with what they annotate. */
export function selectOf(
  columns: readonly string[] | undefined,
  subject: Subject | null,
): string | undefined {
  return columns
    ?.filter((column) => !column.includes('@'))
    .map((column) => propertyAt(subject, column).name)
    .join(',');
}

/** The expression, which must not reach past the brackets that are put around it. */
function balanced(expression: string): string {
  let depth = 0;
  let isText = false;
  for (const char of expression) {
    if (char === "'") isText = !isText;
    if (isText) continue;
    if (char === '(') depth++;
    if (char === ')') depth--;
    if (depth < 0) break;
  }
  if (depth === 0 && !isText) return expression;
  throw new ConnectorError('CONFIG', 'The brackets or quotes in "where" are unbalanced');
}
