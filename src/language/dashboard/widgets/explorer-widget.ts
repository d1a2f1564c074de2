import { columns, PUBLIC_COLUMNS } from './table-columns.ts';
import {
  aField,
  aFlag,
  anInteger,
  aText,
  checkDistinct,
  listOf,
  oneOf,
  type WidgetKind,
} from './widget-kind.ts';

/** Rows of a connector, page by page, in chosen columns. */
export const explorerWidget: WidgetKind = {
  width: 12,
  bound: true,
  keys: {
    columns,
    page_size: anInteger(1, 200),
    search: aFlag,
    filters: listOf({ key: aField, label: aText, type: oneOf('text', 'number', 'boolean', 'date') }, ['key']),
    preset: aText,
    export: aFlag,
  },
  publicKeys: {
    columns: PUBLIC_COLUMNS,
    page_size: true,
    search: true,
    filters: { key: true, label: true, type: true },
    export: true,
  },
  check: (reader) => {
    checkDistinct(reader, 'columns', 'key');
    checkDistinct(reader, 'filters', 'key');
    for (const key of ['shared_query', 'source'])
      reader.idle(key, 'an explorer pages through a "connector" itself');
  },
};
