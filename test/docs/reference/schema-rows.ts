import { code, sentence, table } from './markdown.ts';
import { bareSchema, type Definitions, isSchema, type LinkOf, type Schema, typeText } from './schema-type.ts';

/** One key of a document, with the keys inside it: `retry.delay`, `columns[].label`, `args.<name>.type`. */
export interface KeyRow {
  readonly path: string;
  readonly type: string;
  readonly required: boolean;
  readonly fallback: string;
  readonly words: string;
}

export interface SchemaContext {
  readonly definitions: Definitions;
  readonly linkOf: LinkOf;
}

/** The rows of an object's keys, each followed by those inside it. */
export function keyRows(schema: Schema, context: SchemaContext, prefix = ''): readonly KeyRow[] {
  const properties = isSchema(schema['properties']) ? schema['properties'] : {};
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  const idle = idleKeys(schema);
  return Object.entries(properties).flatMap(([key, property]) => {
    if (!isSchema(property) || idle.has(key)) return [];
    const path = `${prefix}${key}`;
    const bare = bareSchema(property, context.definitions, context.linkOf);
    const fallback = property['default'] ?? bare['default'];
    const row: KeyRow = {
      path,
      type: typeText(property, context.definitions, context.linkOf),
      required: required.includes(key),
      fallback: fallback === undefined ? '' : code(JSON.stringify(fallback)),
      words: wordsOf(property, bare),
    };
    return [row, ...innerRows(bare, context, path)];
  });
}

/** Keys that are refused whatever stands beside them: a rule without a condition leaves them nothing but null. */
export function idleKeys({ allOf }: Schema): ReadonlySet<string> {
  const rules: readonly unknown[] = Array.isArray(allOf) ? allOf : [];
  const always = rules.filter(isSchema).filter((rule) => rule['if'] === undefined);
  return new Set(
    always.flatMap(({ properties }) =>
      Object.entries(isSchema(properties) ? properties : {}).flatMap(([key, property]) =>
        isSchema(property) && property['type'] === 'null' ? [key] : [],
      ),
    ),
  );
}

/** Bounds, and what a duration looks like, stand in the type already. */
const IN_TYPE = /\s*(?:A duration such as 30s, 5m, 2h or 1d|From [\d,.]+ to [\d,.]*\d)(?:; default (.+))?\.$/;

function wordsOf(property: Schema, bare: Schema): string {
  const words = String(property['description'] ?? bare['description'] ?? '');
  return sentence(
    words.replace(IN_TYPE, (_, fallback?: string) =>
      fallback === undefined ? '' : ` Default: ${fallback}.`,
    ),
  );
}

function innerRows(schema: Schema, context: SchemaContext, path: string): readonly KeyRow[] {
  const { items, additionalProperties, anyOf, oneOf, allOf } = schema;
  const bare = (value: unknown) =>
    isSchema(value) ? bareSchema(value, context.definitions, context.linkOf) : {};
  if (Array.isArray(anyOf)) return anyOf.flatMap((option) => innerRows(bare(option), context, path));
  if (Array.isArray(oneOf)) return unionRows(oneOf.filter(isSchema), context, path);
  if (items !== undefined) return innerRows(bare(items), context, `${path}[]`);
  if (isSchema(additionalProperties) && schema['properties'] === undefined)
    return innerRows(bare(additionalProperties), context, `${path}.<name>`);
  const own = keyRows(schema, context, `${path}.`);
  const known = new Set(own.map((row) => row.path));
  return [...own, ...branchRows(allOf, context, path).filter((row) => !known.has(row.path))];
}

/** Maps that one key tells apart: that key with all its values, then those of each map with the values that it goes with. */
function unionRows(options: readonly Schema[], context: SchemaContext, path: string): readonly KeyRow[] {
  const rows = new Map<string, { readonly row: KeyRow; readonly kinds: string[] }>();
  const kinds: { readonly value: string; readonly words: string }[] = [];
  for (const option of options) {
    const [kind, ...keys] = keyRows(option, context, `${path}.`);
    if (kind === undefined) continue;
    kinds.push({ value: kind.type, words: kind.words });
    for (const row of keys) {
      const known = rows.get(`${row.path} ${row.words} ${row.fallback}`);
      if (known === undefined)
        rows.set(`${row.path} ${row.words} ${row.fallback}`, { row, kinds: [kind.type] });
      else known.kinds.push(kind.type);
    }
  }
  const name = Object.keys((options[0]?.['properties'] as Schema | undefined) ?? {})[0] ?? '';
  const all = kinds.map(({ value, words }) => (words === '' ? value : `${value}: ${words}`)).join(' ');
  const only = ({ row, kinds: of }: { readonly row: KeyRow; readonly kinds: readonly string[] }): KeyRow =>
    of.length === options.length
      ? row
      : { ...row, words: `${sentence(row.words)} Only with ${of.join(', ')}.` };
  const type = kinds.map(({ value }) => value).join(', ');
  return [
    { path: `${path}.${name}`, type, required: true, fallback: '', words: all },
    ...[...rows.values()].map(only),
  ];
}

/** Keys that depend on another one, such as the `config` of each metrics backend: each says what it depends on. */
function branchRows(allOf: unknown, context: SchemaContext, path: string): readonly KeyRow[] {
  const rows = new Map<string, KeyRow>();
  for (const rule of Array.isArray(allOf) ? allOf : []) {
    const condition = isSchema(rule) ? conditionText(rule['if']) : null;
    if (condition === null || !isSchema(rule['then']) || !describesKeys(rule['then'])) continue;
    for (const row of keyRows(rule['then'], context, `${path}.`)) {
      if (row.words === '' || row.type === code(condition.value)) continue;
      const words = `${sentence(row.words)} Only with ${code(condition.text)}.`;
      if (!rows.has(`${row.path} ${condition.text}`))
        rows.set(`${row.path} ${condition.text}`, { ...row, words });
    }
  }
  return [...rows.values()];
}

/** The condition of a rule that asks for one value of one key. */
function conditionText(condition: unknown): { readonly text: string; readonly value: unknown } | null {
  if (!isSchema(condition) || !isSchema(condition['properties'])) return null;
  const [[key, schema] = ['', {}], ...others] = Object.entries(condition['properties']);
  const values = isSchema(schema) && Array.isArray(schema['enum']) ? schema['enum'] : [];
  if (others.length > 0 || values.length !== 1) return null;
  return { text: `${key}: ${String(values[0])}`, value: values[0] };
}

/** A rule that only forbids or bounds a key describes nothing. */
function describesKeys({ properties }: Schema): boolean {
  return (
    isSchema(properties) &&
    Object.values(properties).some(
      (schema) => isSchema(schema) && (schema['description'] !== undefined || schema['anyOf'] !== undefined),
    )
  );
}

/** The keys as a table. A column in which nothing stands is left out. */
export function keyTable(rows: readonly KeyRow[]): string {
  const hasFallback = rows.some((row) => row.fallback !== '');
  const head = ['key', 'type', ...(hasFallback ? ['default'] : []), 'description'];
  return table(
    head,
    rows.map(({ path, type, required, fallback, words }) => [
      code(path),
      required ? `${type}; required` : type,
      ...(hasFallback ? [fallback] : []),
      words,
    ]),
  );
}
