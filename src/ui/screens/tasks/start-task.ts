import type { components } from '../../../client/openapi-types.ts';
import { keyText } from './load/load-line.ts';

type ConnectorType = components['schemas']['ConnectorType'];

/** What a new task begins with where there are no connectors yet. */
const fallback = { source: 'csv', target: 'sqlite' };

/** A saved connector. */
export interface UsedConnector {
  readonly id: number;
  readonly type: string;
}

/** A task that only reads what a new one begins with. */
export interface SourceTask {
  /** Of the connector that it names `source`. */
  readonly id: number;
  readonly task: string;
}

/** Null where there is no source yet, or it has to be told what to read. */
export function sourceTask(
  types: readonly ConnectorType[],
  used: readonly UsedConnector[],
): SourceTask | null {
  const source = startSource(types, used);
  const reading = readingOf(types.find(({ type }) => type === source?.type));
  if (source === undefined || reading === undefined || argsOf(reading) !== '') return null;
  const task = `version: 1
name: sample
connectors: { source: { type: ${source.type} } }
steps: [{ id: read, kind: extract, connector: source, method: ${reading.name}, on_error: { action: skip } }]
`;
  return { id: source.id, task };
}

/** The oldest that gives rows. */
function startSource(
  types: readonly ConnectorType[],
  used: readonly UsedConnector[],
): UsedConnector | undefined {
  return used.find(({ type }) => readingOf(types.find((one) => one.type === type)) !== undefined);
}

/**
 * A small task to begin with: from the first saved connector that gives rows into the newest of another type that takes them. `used`: the
 * saved connectors, the oldest first; `key`: the column that tells the rows of the source apart, where there is one.
 */
export function startTask(
  types: readonly ConnectorType[],
  used: readonly UsedConnector[],
  key: string | null,
): string {
  const named = (type: string) => types.find((one) => one.type === type);
  const takesRows = (type: string) => (named(type)?.capabilities.write.length ?? 0) > 0;
  const source = startSource(types, used)?.type ?? fallback.source;
  const target = used.findLast(({ type }) => type !== source && takesRows(type))?.type ?? fallback.target;
  const reading = readingOf(named(source));
  const method = reading?.name ?? 'read';
  return `version: 1
name: my_task
connectors:
  source: { type: ${source} }
  target: { type: ${target} }
steps:
  - { id: read, kind: extract, connector: source, method: ${method}${argsOf(reading)} }
  # To change rows, a step between the two, with its id as the input of the next:
  # - { id: shape, kind: transform, input: read, ops: [{ cast: { price: decimal } }], on_error: { action: dead_letter } }
${modeHint}  - { id: write, kind: load, input: read, connector: target, object: rows${modeOf(named(target), key)} }
`;
}

function readingOf(type: ConnectorType | undefined): ConnectorType['methods'][number] | undefined {
  return type?.methods.find(({ kind }) => kind === 'rows');
}

const modeHint = `  # At the next run, merge updates the rows with the same key, replace swaps all rows, and append adds them again.
`;

/** Whoever runs it every night has each row once: by its key, or all of them anew. */
function modeOf(target: ConnectorType | undefined, key: string | null): string {
  const takes = (mode: string) => target?.capabilities.write.includes(mode as never) ?? false;
  const byKey = (['merge', 'upsert'] as const).find(takes);
  if (byKey !== undefined && (key !== null || !takes('replace')))
    return `, mode: ${byKey}${keyText([key ?? 'id'])}`;
  return takes('replace') ? ', mode: replace' : ', mode: append';
}

/** A name for each argument that the method cannot do without. */
function argsOf(method: ConnectorType['methods'][number] | undefined): string {
  const required = method?.args['required'];
  if (!Array.isArray(required) || required.length === 0) return '';
  return `, args: { ${required.map((name) => `${name}: my_${name}`).join(', ')} }`;
}
