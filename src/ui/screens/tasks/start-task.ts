import type { components } from '../../../client/openapi-types.ts';

type ConnectorType = components['schemas']['ConnectorType'];

/** What a new task begins with where there are no connectors yet. */
const fallback = { source: 'csv', target: 'sqlite' };

/**
 * A small task to begin with: from the first saved connector that gives rows into the newest of another type that takes them. `used`: the
 * types of the saved connectors, the oldest first.
 */
export function startTask(types: readonly ConnectorType[], used: readonly string[]): string {
  const named = (type: string) => types.find((one) => one.type === type);
  const givesRows = (type: string) => readingOf(named(type)) !== undefined;
  const takesRows = (type: string) => (named(type)?.capabilities.write.length ?? 0) > 0;
  const source = used.find(givesRows) ?? fallback.source;
  const target = used.findLast((type) => type !== source && takesRows(type)) ?? fallback.target;
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
${modeHint(named(target))}  - { id: write, kind: load, input: read, connector: target, object: rows, mode: append }
`;
}

function readingOf(type: ConnectorType | undefined): ConnectorType['methods'][number] | undefined {
  return type?.methods.find(({ kind }) => kind === 'rows');
}

/** Whoever runs it every night has each row as often, unless the mode is another. */
function modeHint(target: ConnectorType | undefined): string {
  const other = repeatable.find(({ mode }) => target?.capabilities.write.includes(mode));
  if (other === undefined) return '';
  return `  # append adds the rows at every run; to ${other.effect}: mode: ${other.mode}${other.keys}\n`;
}

const repeatable = [
  { mode: 'upsert', effect: 'update those of the run before', keys: ', key: [id]' },
  { mode: 'replace', effect: 'swap all for the new ones', keys: '' },
] as const;

/** A name for each argument that the method cannot do without. */
function argsOf(method: ConnectorType['methods'][number] | undefined): string {
  const required = method?.args['required'];
  if (!Array.isArray(required) || required.length === 0) return '';
  return `, args: { ${required.map((name) => `${name}: my_${name}`).join(', ')} }`;
}
