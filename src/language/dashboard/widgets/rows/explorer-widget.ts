import { listOf, map } from '../../../declare/map.ts';
import { alwaysIdle } from '../../../declare/rules.ts';
import { shown } from '../../../declare/value.ts';
import { field, flag, integer, oneOf, text } from '../../../declare/values.ts';
import { widgetKind } from '../widget-kind.ts';
import { ITEMS_MAX } from '../widget-values.ts';
import { columns } from './row-columns.ts';

const FILTER = map('A filter.', {
  key: shown(field('The column that is filtered.', { required: true })),
  label: shown(text('The label. Default: the key.')),
  type: shown(oneOf('The type of the values entered.', ['text', 'number', 'boolean', 'date'])),
});

/** Paged through by `widget-data`: its payload is not made from data that is there as a whole. */
export const explorerWidget = widgetKind({
  type: 'explorer',
  words: 'Rows of a connector, page by page.',
  width: 12,
  bound: true,
  keys: {
    columns,
    page_size: shown(integer('Rows per page.', { min: 1, max: 200 })),
    search: shown(flag('Whether viewers can search the rows.')),
    filters: listOf('Filters that viewers can set.', FILTER, { max: ITEMS_MAX, distinct: ['key', 'key'] }),
    preset: text('The team’s saved view to show first, by name.'),
    export: shown(flag('Whether viewers can download the rows.')),
  },
  rules: [alwaysIdle(['shared_query', 'source'], 'an explorer reads pages from a "connector" itself')],
});
