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
  /** What a load writes. */
  readonly object: string | null;
  readonly ops: readonly Readonly<Record<string, unknown>>[];
}

const aliasesMax = 100;
const depthMax = 20;

/** What completion reads of a document besides the place of the cursor. */
export interface DocumentOutline {
  /** The steps of a task by id, also those inside others. */
  readonly steps: ReadonlyMap<string, OutlinedStep>;
  readonly args: readonly string[];
  readonly connectors: readonly string[];
  readonly jobConfig: readonly string[];
  /** Ids of a dashboard's filters. */
  readonly filters: readonly string[];
}

/** As much as can be read of a text that is being typed. */
export function outlineOf(text: string): DocumentOutline {
  const document = valueIn(text);
  const steps = new Map<string, OutlinedStep>();
  const visit = (value: unknown, depth: number) => {
    if (depth > depthMax) return;
    if (Array.isArray(value)) for (const item of value) visit(item, depth + 1);
    if (!isRow(value)) return;
    const { id, kind } = value;
    if (typeof id === 'string' && typeof kind === 'string') steps.set(id, stepOf(kind, value));
    for (const inner of Object.values(value)) visit(inner, depth + 1);
  };
  visit([document['steps'], document['on_failure'], document['finally']], 0);
  const filters = Array.isArray(document['filters']) ? document['filters'].filter(isRow) : [];
  return {
    steps,
    args: keysIn(document['args']),
    connectors: keysIn(document['connectors']),
    jobConfig: keysIn(document['job_config']),
    filters: filters.flatMap(({ id }) => textOf(id) ?? []),
  };
}

function valueIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const document = parseDocument(text, { strict: false, uniqueKeys: false, logLevel: 'silent' });
    const value: unknown = document.toJS({ maxAliasCount: aliasesMax });
    return isRow(value) ? value : {};
  } catch {
    return {};
  }
}

function keysIn(value: unknown): readonly string[] {
  return isRow(value) ? Object.keys(value) : [];
}

function stepOf(
  kind: string,
  { input, connector, object, args, ops }: Readonly<Record<string, unknown>>,
): OutlinedStep {
  const given = isRow(args) ? Object.entries(args) : [];
  return {
    kind,
    input: textOf(input),
    connector: textOf(connector),
    resource: resourceIn(new Map(given.map(([key, value]) => [key, textOf(value) ?? '']))),
    object: textOf(object),
    ops: Array.isArray(ops) ? ops.filter(isRow) : [],
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
