import { checkSort, columns, PUBLIC_COLUMNS } from './table-columns.ts';
import { aFlag, anExpression, anInteger, aText, checkDistinct, type WidgetKind } from './widget-kind.ts';

/** A bounded list of rows in declared columns. */
export const tableWidget: WidgetKind = {
  width: 12,
  bound: true,
  keys: {
    items_expr: anExpression,
    columns,
    limit: anInteger(1, 1_000),
    sort: aText,
    searchable: aFlag,
    export: aFlag,
  },
  publicKeys: { columns: PUBLIC_COLUMNS, limit: true, sort: true, searchable: true, export: true },
  check: (reader) => {
    checkDistinct(reader, 'columns', 'key');
    checkSort(reader);
  },
};
