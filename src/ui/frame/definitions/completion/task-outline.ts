import { parseDocument } from 'yaml';
import { isRow } from '../../records/row.ts';
import { resourceIn } from './wanted-names.ts';

/** What completion reads of a step. */
export interface OutlinedStep {
  readonly kind: string;
  readonly input: string | null;
  readonly connector: string | null;
  /** What a reading step reads; null where its arguments name nothing. */
  readonly resource: string | null;
  readonly ops: readonly Readonly<Record<string, unknown>>[];
}

const aliasesMax = 100;
const depthMax = 20;

/** The steps of a task by id, also those inside others; as much as can be read of a text that is being typed. */
export function outlineOf(text: string): ReadonlyMap<string, OutlinedStep> {
  const steps = new Map<string, OutlinedStep>();
  const visit = (value: unknown, depth: number) => {
    if (depth > depthMax) return;
    if (Array.isArray(value)) for (const item of value) visit(item, depth + 1);
    if (!isRow(value)) return;
    const { id, kind } = value;
    if (typeof id === 'string' && typeof kind === 'string') steps.set(id, stepOf(kind, value));
    for (const inner of Object.values(value)) visit(inner, depth + 1);
  };
  visit(writtenSteps(text), 0);
  return steps;
}

function writtenSteps(text: string): unknown {
  try {
    const document = parseDocument(text, { strict: false, uniqueKeys: false, logLevel: 'silent' });
    const value: unknown = document.toJS({ maxAliasCount: aliasesMax });
    return isRow(value) ? value['steps'] : null;
  } catch {
    return null;
  }
}

function stepOf(
  kind: string,
  { input, connector, args, ops }: Readonly<Record<string, unknown>>,
): OutlinedStep {
  const given = isRow(args) ? Object.entries(args) : [];
  return {
    kind,
    input: textOf(input),
    connector: textOf(connector),
    resource: resourceIn(new Map(given.map(([key, value]) => [key, textOf(value) ?? '']))),
    ops: Array.isArray(ops) ? ops.filter(isRow) : [],
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
