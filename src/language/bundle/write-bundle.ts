import type { Bundle, BundleConnector, BundleDefinition, BundleTemplate } from './bundle.ts';
import { BUNDLE_FORMAT } from './bundle.ts';
import { dashed, entryLines } from './yaml-text.ts';

/** Where the text of a definition is: in the document, or in a file of this path beside it. */
export type PlaceOf = (definition: BundleDefinition) => string | null;

type Entries = readonly (readonly [key: string, value: unknown])[];

/** The YAML of a bundle: the same bytes for the same definitions, in whatever order they come. */
export function writeBundle(bundle: Bundle, placeOf: PlaceOf = () => null): string {
  const textOf = (definition: BundleDefinition): Entries => {
    const { name, description, yaml } = definition;
    const file = placeOf(definition);
    return [
      ['name', name],
      ...(description === undefined ? [] : [['description', description] as const]),
      file === null ? ['yaml', yaml] : ['yaml_file', file],
    ];
  };
  const dashboardLines = (template: BundleTemplate) =>
    section('dashboard_templates', template.dashboard_templates, '    ', (dashboard) =>
      lines(textOf(dashboard), '        '),
    );
  const written = [
    `headgate_bundle: ${BUNDLE_FORMAT}`,
    ...section('connectors', bundle.connectors, '', (connector) =>
      lines(connectorEntries(connector), '    '),
    ),
    ...section('tasks', bundle.tasks, '', (task) => lines(textOf(task), '    ')),
    ...section('job_templates', bundle.job_templates, '', (template) => [
      ...lines(textOf(template), '    '),
      ...dashboardLines(template),
    ]),
  ];
  return `${written.join('\n')}\n`;
}

/** By the numbers of their characters, and so the same on every machine. */
export function byName<T extends { readonly name: string }>(items: readonly T[]): T[] {
  return items.toSorted((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
}

function section<T extends { readonly name: string }>(
  key: string,
  items: readonly T[],
  indent: string,
  linesOf: (item: T) => string[],
): string[] {
  if (items.length === 0) return [];
  return [`${indent}${key}:`, ...byName(items).flatMap((item) => dashed(linesOf(item), `${indent}  `))];
}

function lines(entries: Entries, indent: string): string[] {
  return entries.flatMap(([key, value]) => entryLines(key, value, indent));
}

function connectorEntries({ name, type, description, config, secrets }: BundleConnector): Entries {
  return [
    ['name', name],
    ['type', type],
    ['description', description],
    ['config', config],
    ['secrets', secrets.toSorted()],
  ];
}
