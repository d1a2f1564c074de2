import { publishedSchema, type SchemaName } from '../../../src/language/published-schemas.ts';
import { code, pageHead, sentence } from './markdown.ts';
import { type KeyRow, keyRows, keyTable, type SchemaContext } from './schema-rows.ts';
import { type Definitions, isSchema, type Schema } from './schema-type.ts';

interface Section {
  readonly title: string;
  readonly intro?: string;
  readonly rows: readonly KeyRow[];
}

const EDITOR = (name: SchemaName) =>
  `Editors check and complete it with the schema that a server publishes: \`# yaml-language-server: $schema=http://127.0.0.1:8080/api/schemas/${name}\` as the first line of the file.`;

const NOTATION =
  'In the tables `a.b` is the key `b` inside `a`, `a[].b` the key `b` of each item of the list `a`, and `a.<name>.b` the key `b` of each entry of the map `a`, whose names you choose. Durations are `30s`, `5m`, `2h`, `1d` or `1.5h`.';

/** Definitions with a section of their own, which other sections link. */
const LINKED: Readonly<Record<string, string>> = {
  form_field: '[form field](#form-fields)',
  options_source: '[option source](#option-sources)',
  widget: '[widget](#every-widget)',
  dashboard: 'map',
};

function open(name: SchemaName): { schema: Schema; definitions: Definitions; context: SchemaContext } {
  const schema = publishedSchema(name);
  const definitions = isSchema(schema['$defs']) ? (schema['$defs'] as Definitions) : {};
  return { schema, definitions, context: { definitions, linkOf: (of) => LINKED[of] ?? null } };
}

function page(title: string, intro: string, sections: readonly Section[]): string {
  const parts = sections
    .filter((section) => section.rows.length > 0)
    .map(
      (section) =>
        `\n## ${section.title}\n${section.intro === undefined ? '' : `\n${section.intro}\n`}${keyTable(section.rows)}`,
    );
  return pageHead(title, `${intro}\n\n${NOTATION}`) + parts.join('');
}

function rowsOf(definitions: Definitions, name: string, context: SchemaContext): readonly KeyRow[] {
  return keyRows(definitions[name] ?? {}, context);
}

const firstKey = (row: KeyRow) => row.path.split(/[.[]/, 1)[0] ?? '';

export function jobTemplatePage(): string {
  const { schema, definitions, context } = open('job-template');
  const intro = `The YAML of a job template. The guide: [templates and jobs](../jobs.md). ${EDITOR('job-template')}`;
  return page('Job template', intro, [
    { title: 'Job template', rows: keyRows(schema, context) },
    { title: 'Form fields', rows: rowsOf(definitions, 'form_field', context) },
    { title: 'Option sources', rows: rowsOf(definitions, 'options_source', context) },
  ]);
}

/** Where a widget's data comes from: keys of all widgets that show data. */
const BINDING = ['connector', 'method', 'args', 'shared_query', 'source', 'transform_expr'];

export function dashboardPage(): string {
  const { definitions, context } = open('dashboard');
  const widgets = Object.keys(definitions).filter((name) => name.endsWith('_widget'));
  const { shared, own } = splitShared(widgets, definitions, context);
  const bound = own.find(({ rows }) => BINDING.every((key) => rows.some((row) => row.path === key)));
  const isBinding = (row: KeyRow) => BINDING.includes(firstKey(row));
  const intro = `The YAML of a dashboard, either under a top-level key \`dashboard\` or bare. The guide: [dashboards](../dashboards.md). ${EDITOR('dashboard')}`;
  return page('Dashboard', intro, [
    { title: 'Dashboard', rows: rowsOf(definitions, 'dashboard', context) },
    { title: 'Every widget', intro: 'Keys of each item of `widgets`, whatever its type.', rows: shared },
    {
      title: 'Data of a widget',
      intro: `Keys of the widgets that show data: ${own
        .filter(({ rows }) => rows.some(isBinding) && rows.some((row) => row.path === 'transform_expr'))
        .map(({ name }) => code(name.replace(/_widget$/, '')))
        .join(', ')}.`,
      rows: bound?.rows.filter(isBinding) ?? [],
    },
    ...own.map(({ name, words, rows }) => ({
      title: `Widget: ${name.replace(/_widget$/, '')}`,
      intro: words,
      rows: rows.some((row) => row.path === 'transform_expr') ? rows.filter((row) => !isBinding(row)) : rows,
    })),
    {
      title: 'Form fields',
      intro: 'Of the `input` of an action.',
      rows: rowsOf(definitions, 'form_field', context),
    },
    { title: 'Option sources', rows: rowsOf(definitions, 'options_source', context) },
  ]);
}

/** They stand in the headings. */
const DISCRIMINATORS: readonly string[] = ['kind', 'type'];

interface Kind {
  readonly name: string;
  readonly words: string;
  readonly rows: readonly KeyRow[];
}

/** The keys that all kinds have with the same words, with those inside them, and what each kind has besides. */
export function splitShared(
  names: readonly string[],
  definitions: Definitions,
  context: SchemaContext,
): { readonly shared: readonly KeyRow[]; readonly own: readonly Kind[] } {
  const kinds = names.map((name) => ({
    name,
    words: sentence(String(definitions[name]?.['description'] ?? '')),
    rows: rowsOf(definitions, name, context),
  }));
  const textOf = (rows: readonly KeyRow[], key: string) =>
    JSON.stringify(rows.filter((row) => firstKey(row) === key));
  const [first, ...others] = kinds;
  const keys = new Set((first?.rows ?? []).map(firstKey));
  const shared = new Set(
    [...keys].filter((key) =>
      others.every(({ rows }) => textOf(rows, key) === textOf(first?.rows ?? [], key)),
    ),
  );
  const isOwn = (row: KeyRow) => !shared.has(firstKey(row)) && !DISCRIMINATORS.includes(row.path);
  return {
    shared: first?.rows.filter((row) => shared.has(firstKey(row))) ?? [],
    own: kinds.map((kind) => ({ ...kind, rows: kind.rows.filter(isOwn) })),
  };
}
