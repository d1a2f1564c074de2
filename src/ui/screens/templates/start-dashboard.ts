import type { components } from '../../../client/openapi-types.ts';
import { outlineOf } from '../../frame/definitions/completion/document-outline.ts';
import { isRow } from '../../frame/records/row.ts';
import type { TemplateStart } from './start-template.ts';

type Template = components['schemas']['JobTemplateDetail'];
type ConnectorType = components['schemas']['ConnectorType'];

/** What a job's tasks write, by the template's name of the connector. */
interface Loaded {
  readonly connector: string;
  readonly object: string;
}

const tablesMax = 3;
/** Argument by which a method reads one table or collection. */
const namesOne: readonly unknown[] = ['table', 'collection'];

/**
 * A dashboard that shows the runs of a job template's first task, and what its tasks load. `texts`: the YAML of the tasks by name; `types`: the
 * connector types that the server knows.
 */
export function startDashboard(
  { dag, connectors }: Pick<Template, 'dag' | 'connectors'>,
  texts: ReadonlyMap<string, string>,
  types: readonly ConnectorType[],
): TemplateStart {
  const name = 'Overview';
  const key = dag?.levels[0]?.[0] ?? 'load';
  const ids = new Set(['progress']);
  const tables = loadedBy(dag, texts).flatMap(({ connector, object }) => {
    const reading = readingOf(types.find(({ type }) => type === connectors?.[connector]?.type));
    const id = idOf(object);
    if (reading === null || ids.has(id)) return [];
    ids.add(id);
    const call = `connector: ${connector}, method: ${reading.method}, args: { ${reading.arg}: ${object} }`;
    return `      - { id: ${id}, type: table, title: ${object}, ${call}, limit: 50, searchable: true }\n`;
  });
  return {
    name,
    text: `title: ${name}
pages:
  - id: overview
    title: Overview
    widgets:
      - { id: progress, type: task_progress, title: Runs, task_key: ${key} }
${tables.slice(0, tablesMax).join('')}`,
  };
}

/** Names of the tasks of a template, in their order. */
export function tasksOf({ dag }: Pick<Template, 'dag'>): readonly string[] {
  return [...new Set(nodesOf(dag).map(({ task }) => task))];
}

/** The nodes of the graph in their order. */
function nodesOf(
  dag: Template['dag'],
): readonly { task: string; connectors: Readonly<Record<string, unknown>> }[] {
  return (dag?.levels ?? []).flat().flatMap((key) => {
    const node: unknown = dag?.tasks[key];
    if (!isRow(node) || typeof node['task'] !== 'string') return [];
    return [{ task: node['task'], connectors: isRow(node['connectors']) ? node['connectors'] : {} }];
  });
}

function loadedBy(dag: Template['dag'], texts: ReadonlyMap<string, string>): readonly Loaded[] {
  return nodesOf(dag).flatMap(({ task, connectors }) => {
    const named = (local: string) => {
      const mapped = connectors[local];
      return typeof mapped === 'string' ? mapped : local;
    };
    return loadsIn(texts.get(task) ?? '').map(({ connector, object }) => ({
      connector: named(connector),
      object,
    }));
  });
}

/** The loads among the steps of a task, of objects whose names can stand in YAML as they are. */
function loadsIn(yaml: string): readonly Loaded[] {
  return [...outlineOf(yaml).steps.values()].flatMap(({ kind, connector, object }) => {
    if (kind !== 'load' || connector === null || object === null) return [];
    return /^[a-z_][\w.]*$/i.test(object) ? [{ connector, object }] : [];
  });
}

/** How a type reads the rows of one table. */
function readingOf(type: ConnectorType | undefined): { method: string; arg: string } | null {
  for (const { kind, name, args } of type?.methods ?? []) {
    const required = args['required'];
    if (kind !== 'rows' || !Array.isArray(required) || required.length !== 1) continue;
    const [arg] = required as unknown[];
    if (namesOne.includes(arg)) return { method: name, arg: String(arg) };
  }
  return null;
}

function idOf(object: string): string {
  return object.toLowerCase().replaceAll('.', '_').replace(/^_+/, '');
}
