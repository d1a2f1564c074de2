import { isRecord } from '../../../base/json.ts';
import { listOf, map } from '../../declare/map.ts';
import { onlyBeside, type Rule } from '../../declare/rules.ts';
import { special } from '../../declare/value.ts';
import { name, oneOf, reference, text } from '../../declare/values.ts';
import { type MapReader, typeName } from '../../yaml/map-reader.ts';
import { overItem } from '../widgets/widget-values.ts';
import { type DashboardFilter, FILTER_TYPES, type FilterOption } from './dashboard-filter.ts';
import { filterProblem } from './filter-values.ts';

const FILTERS_MAX = 20;
const OPTIONS_MAX = 500;

const OPTIONS = special(
  'The choices of a select: texts, or maps of `label` and `value`.',
  {
    type: 'array',
    maxItems: OPTIONS_MAX,
    items: {
      anyOf: [
        { type: ['string', 'number'] },
        {
          type: 'object',
          additionalProperties: false,
          required: ['value'],
          properties: {
            label: { type: 'string', description: 'What viewers see. Default: the value.' },
            value: { type: ['string', 'number'], description: 'What the expressions read.' },
          },
        },
      ],
    },
  },
  readOptions,
);

const DEFAULT = special(
  'The initial choice, as written in a URL: a value, dates as 2026-01-01..2026-01-31, or a period such as last_30_days. Default: nothing.',
  { type: ['string', 'number'] },
  (reader, key) => {
    const value = reader.value(key) ?? null;
    if (value === null || typeof value === 'string') return value;
    if (typeof value === 'number') return String(value);
    return reader.wrong(key, `"${key}" must be a text or a number, not ${typeName(value)}`);
  },
);

const CHOICES: Rule = {
  check: (reader) => {
    const isSelect = reader.value('type') === 'select';
    const sources = ['options', 'shared_query'].filter((key) => reader.has(key));
    if (!isSelect) for (const key of sources) reader.idle(key, 'only a select has choices');
    else if (sources.length !== 1) reader.wrong('type', 'A select needs either "options" or "shared_query"');
  },
  schemas: () => [],
};

const FILTER = map(
  'A value chosen by viewers.',
  {
    id: name('Its name: expressions read it as `filter.<id>`.', 'word', { required: true }),
    label: text('The label of its control. Default: the id.'),
    type: oneOf('Type of the value.', FILTER_TYPES, { required: true }),
    options: OPTIONS,
    shared_query: reference(
      'One of `shared_queries`, whose rows are the choices of a select.',
      'shared_queries',
    ),
    value_expr: overItem('The value of an `item` of the query. Default: its first column.'),
    label_expr: overItem('The label of an `item` of the query. Default: the value.'),
    default: DEFAULT,
  },
  {
    rules: [CHOICES, onlyBeside(['value_expr', 'label_expr'], ['shared_query'])],
    make: (read, reader): DashboardFilter => {
      const filter = {
        ...read,
        label: read.label ?? read.id,
        value_expr: read.value_expr?.source ?? null,
        label_expr: read.label_expr?.source ?? null,
      };
      const problem = filter.default === null ? null : filterProblem(filter, filter.default);
      if (problem !== null && !reader.check.isPlaceholder(filter.default ?? ''))
        reader.wrong('default', problem);
      return filter;
    },
  },
);

const LIST = listOf('Controls above the pages, with values that expressions read as `filter.<id>`.', FILTER, {
  max: FILTERS_MAX,
  default: [],
  distinct: ['id', 'filter'],
});

/** `filters` of a dashboard. */
export const FILTERS = {
  ...LIST,
  read: (reader: MapReader, key: string) => {
    const filters = LIST.read(reader, key);
    reader.check.declare(
      'filter',
      filters.map(({ id, type }) => [id, type]),
    );
    return filters;
  },
};

function readOptions(reader: MapReader, key: string): readonly FilterOption[] | null {
  if (!reader.has(key)) return null;
  const given = reader.value(key);
  if (!Array.isArray(given)) return reader.wrong(key, `"${key}" must be a list, not ${typeName(given)}`);
  if (given.length > OPTIONS_MAX) return reader.wrong(key, `"${key}" has more than ${OPTIONS_MAX} items`);
  return given.flatMap((item: unknown, index) => {
    const value = isRecord(item) ? item['value'] : item;
    const label = isRecord(item) ? (item['label'] ?? value) : value;
    const plain = [value, label].every((one) => typeof one === 'string' || typeof one === 'number');
    if (plain && value !== '') return [{ label: String(label), value: String(value) }];
    reader.check.add(reader.at(key, index), 'A choice is a text, or a map of "label" and "value"');
    return [];
  });
}
