import type { WidgetType } from '../dashboard/dashboard.ts';
import { LEVELS } from '../dashboard/widgets/widget-kind.ts';
import { method } from '../declare/connector-call.ts';
import { formFields } from '../template/form-field.ts';
import {
  atMostOne,
  has,
  type JsonSchema,
  objectOf,
  type Properties,
  type SchemaKit,
  when,
  without,
} from './schema-kit.ts';

const ITEMS_MAX = 200;
const FIELD_CHARS_MAX = 200;
const FORMATS =
  '^(?:number|integer|compact|percent|bytes|duration|date|datetime|relative|text|currency:[A-Z]{3})$';

/** The schemas of the keys that each type of widget has for itself. */
export function widgetKeySchemas(kit: SchemaKit): Readonly<Record<WidgetType, Properties>> {
  return {
    ...textSchemas(kit),
    ...chartSchemas(kit),
    ...rowSchemas(kit),
    ...inputSchemas(kit),
  };
}

function textSchemas(kit: SchemaKit) {
  const step = objectOf(
    'A step.',
    {
      key: fieldSchema(kit, 'Of the step.'),
      label: kit.text('What people read.'),
      state: kit.text('How it is.'),
      detail: kit.text('Said below the label.'),
    },
    { required: ['key'] },
  );
  return {
    heading: {
      text: kit.text('The label.'),
      level: kit.integer('How far down it stands, 1 to 6.', 1, 6),
      style: kit.oneOf('A section, or a callout of this level.', ['section', ...LEVELS]),
      body: kit.text('Markdown below the label.'),
    },
    steps: {
      items: kit.list('The steps.', step, { max: ITEMS_MAX }),
      items_expr: kit.expression('The list of steps in the data.'),
      current_expr: kit.expression('The key of the step that is under way.'),
    },
    people: {
      items_expr: kit.expression('The list of people in the data.'),
      name_expr: kit.expression('The name of an `item`.'),
      role_expr: kit.expression('The role of an `item`.'),
      email_expr: kit.expression('The email address of an `item`.'),
      phone_expr: kit.expression('The phone number of an `item`.'),
      avatar_expr: kit.expression('The address of a picture of an `item`.'),
      href_expr: kit.expression('Where the card of an `item` leads.'),
    },
    task_progress: {
      task_key: kit.name('The key of the task in the job; the widget’s id by default.', 'key'),
    },
  };
}

function chartSchemas(kit: SchemaKit) {
  const format = formatSchema(kit);
  const series = objectOf(
    'A series.',
    {
      label: kit.text('What people read.'),
      value_expr: kit.expression('The value of an `item`.'),
      color: kit.form('Such as "#2563eb" or blue.', '^(?:#[0-9A-Fa-f]{3}|#[0-9A-Fa-f]{6}|[A-Za-z]{2,20})$'),
    },
    { required: ['value_expr'] },
  );
  const shared = {
    items_expr: kit.expression('The list of records in the data.'),
    x_expr: kit.expression('Where an `item` stands.'),
    series: kit.list('What is drawn.', series, { max: ITEMS_MAX }),
    stacked: kit.flag('Whether the series stand on each other.'),
    format,
    x_type: kit.oneOf('What `x_expr` gives.', ['category', 'time', 'number']),
  };
  const threshold = objectOf(
    'From this value on it has this level.',
    { value: kit.number('The value.'), level: kit.oneOf('The level.', LEVELS) },
    { required: ['value', 'level'] },
  );
  return {
    stat: {
      value_expr: kit.expression('The number.'),
      format,
      unit: kit.text('Said after the number.'),
      compare_expr: kit.expression('An earlier number.'),
      trend: kit.oneOf('Which way is good.', ['up_is_good', 'down_is_good']),
      sparkline_expr: kit.expression('A list of numbers.'),
      thresholds: kit.list('Levels by value.', threshold, { max: ITEMS_MAX }),
    },
    progress: {
      current_expr: kit.expression('What is done.'),
      total_expr: kit.expression('What there is to do.'),
      format,
    },
    bar_chart: { ...shared, horizontal: kit.flag('Whether the bars lie.') },
    line_chart: { ...shared, area: kit.flag('Whether the area below is filled.') },
    pie_chart: {
      items_expr: shared.items_expr,
      label_expr: kit.expression('The label of an `item`.'),
      value_expr: kit.expression('The value of an `item`.'),
      donut: kit.flag('Whether the middle is empty.'),
      other_after: kit.integer('Slices beyond so many are added up as one.', 1, 100),
      format,
    },
  };
}

function rowSchemas(kit: SchemaKit) {
  const columns = columnsSchema(kit);
  const filter = objectOf(
    'A filter.',
    {
      key: fieldSchema(kit, 'The column.'),
      label: kit.text('What people read.'),
      type: kit.oneOf('Of the values.', ['text', 'number', 'boolean', 'date']),
    },
    { required: ['key'] },
  );
  return {
    table: {
      items_expr: kit.expression('The list of records in the data.'),
      columns,
      limit: kit.integer('The most rows; 1,000 by default.', 1, 1_000),
      sort: kit.text('A column, or "-" and a column for descending.'),
      searchable: kit.flag('Whether people may search in it.'),
      export: kit.flag('Whether people may take it as a file.'),
    },
    explorer: {
      columns,
      page_size: kit.integer('Rows of a page.', 1, 200),
      search: kit.flag('Whether people may search in it.'),
      filters: kit.list('Filters that people may set.', filter, { max: ITEMS_MAX }),
      preset: kit.text('The name of a saved view of the team.'),
      export: kit.flag('Whether people may take it as a file.'),
    },
  };
}

function columnsSchema(kit: SchemaKit): JsonSchema {
  const badge = {
    description: 'True, or cell texts to levels.',
    anyOf: [{ type: 'boolean' }, { type: 'object', additionalProperties: { enum: [...LEVELS, 'neutral'] } }],
  };
  const column = objectOf(
    'A column.',
    {
      key: fieldSchema(kit, 'The field of the row, and the name of the column.'),
      label: kit.text('What people read; the key by default.'),
      value_expr: kit.expression('The cell of an `item`; the field by default.'),
      format: formatSchema(kit),
      align: kit.oneOf('Where the cell’s text stands.', ['left', 'center', 'right']),
      href_expr: kit.expression('Where the cell of an `item` leads; `value` is the cell.'),
      badge,
    },
    { required: ['key'] },
  );
  return kit.list('The columns; those of the rows by default.', column, { max: ITEMS_MAX });
}

function inputSchemas(kit: SchemaKit) {
  const entry = (noun: string) =>
    kit.name(`The key of the ${noun} in the job’s configuration; the widget’s id by default.`, 'key');
  return {
    form: {
      config_key: entry('form'),
      submit_label: kit.text('On the button.'),
      layout: kit.oneOf('How the fields stand.', ['one_column', 'two_columns']),
    },
    field_mapping: { config_key: entry('mapping') },
    action: {
      label: kit.text('On the button.'),
      style: kit.oneOf('How the button looks.', ['primary', 'secondary', 'danger']),
      run: runSchema(kit),
      input: formFields('What is asked before; `value` in the arguments of `run`.').schema({
        variables: true,
      }),
      confirm: {
        description: 'True, or the question that is asked before.',
        anyOf: [{ type: 'boolean' }, kit.text('The question.')],
      },
      allow_public: kit.flag('Whether people with the share link may act; false by default.'),
      success_message: kit.text('Said afterwards, with `{{ expression }}`.'),
      cooldown_seconds: kit.integer('How long nobody may act again.', 0, 86_400),
    },
  };
}

function runSchema(kit: SchemaKit): JsonSchema {
  const properties: Properties = {
    job: { description: 'Runs the job.', const: true },
    task: kit.name('Runs the task of this key in the job.', 'key'),
    connector: kit.name('Calls a method of this connector of the job.', 'word'),
    method: method.schema({ variables: true }),
    args: kit.anyMap('Arguments, with `{{ expression }}` in their texts; `value` is the input.'),
  };
  const targets = ['job', 'task', 'connector'];
  return objectOf('What runs: the job, one of its tasks, or a connector call.', properties, {
    rules: [
      { anyOf: targets.map(has) },
      ...atMostOne(...targets),
      when(has('connector'), has('method'), without('method')),
    ],
  });
}

/** The key of a field in rows: any text that is safe as an object's key. */
function fieldSchema(kit: SchemaKit, words: string): JsonSchema {
  const pattern = '^(?!(?:__proto__|constructor|prototype)$)[\\s\\S]*$';
  return kit.form(words, pattern, FIELD_CHARS_MAX);
}

function formatSchema(kit: SchemaKit): JsonSchema {
  return kit.form('How the value is shown: number, percent, date, currency:EUR and others.', FORMATS);
}
