import { isRow } from '../../records/row.ts';
import type { OutlinedStep } from './document-outline.ts';
import type { KnownName, NameSource } from './name-source.ts';

const stepsMax = 50;

/** The columns of the rows that a step gives: those of what is read, changed by the operations; empty where that is not known. */
export async function columnsOfStep(
  steps: ReadonlyMap<string, OutlinedStep>,
  id: string,
  names: NameSource,
  left = stepsMax,
): Promise<readonly KnownName[]> {
  const step = steps.get(id);
  if (step === undefined || left === 0) return [];
  if (step.kind === 'extract')
    return step.connector === null ? [] : columnsOf(names, step.connector, step.resource);
  if (step.input === null || step.kind === 'sql' || step.kind === 'script') return [];
  return changed(await columnsOfStep(steps, step.input, names, left - 1), step.ops);
}

/** The columns of a resource, or of the only one that a connector has. */
export async function columnsOf(
  names: NameSource,
  connector: string,
  resource: string | null,
): Promise<readonly KnownName[]> {
  if (resource !== null) return names.columns(connector, resource);
  const [only, ...others] = await names.resources(connector);
  return only === undefined || others.length > 0 ? [] : names.columns(connector, only.name);
}

function changed(columns: readonly KnownName[], ops: OutlinedStep['ops']): readonly KnownName[] {
  return ops.reduce((before, op) => Object.entries(op).reduce(changedBy, before), columns);
}

function changedBy(
  columns: readonly KnownName[],
  [op, value]: readonly [string, unknown],
): readonly KnownName[] {
  if (op === 'drop' && Array.isArray(value)) return columns.filter(({ name }) => !value.includes(name));
  if (!isRow(value)) return columns;
  const fields = Object.keys(value).map((name) => ({ name, type: '' }));
  if (op === 'map') return fields;
  if (op === 'set')
    return [...columns, ...fields.filter(({ name }) => columns.every((one) => one.name !== name))];
  if (op === 'rename')
    return columns.map((column) => ({ ...column, name: String(value[column.name] ?? column.name) }));
  if (op === 'cast')
    return columns.map((column) => {
      const type = value[column.name];
      return typeof type === 'string' ? { ...column, type } : column;
    });
  return columns;
}
