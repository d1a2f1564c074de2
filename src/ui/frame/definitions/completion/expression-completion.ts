import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { type DocumentOutline, outlineOf } from './document-outline.ts';
import { expressionFunctions, nameOf } from './expression-functions.ts';
import { type ExpressionPlace, expressionAt, namesAt, stepOfItem } from './expression-place.ts';
import { columnsOfStep } from './row-columns.ts';
import type { Vocabulary } from './vocabulary.ts';

const ofRun = ['id', 'attempt', 'first_id', 'task_key', 'scheduled_for', 'interval_start', 'interval_end'];
const ofJob = ['id', 'name', 'description', 'status'];
const ofStep = ['count', 'status', 'output'];

/** Completes the names that an expression reads at its place, what is below them, and the functions. */
export async function completeExpression(
  { document, names, connectors }: Vocabulary,
  { state, pos, explicit }: CompletionContext,
): Promise<CompletionResult | null> {
  const line = state.doc.lineAt(pos);
  const text = state.doc.toString();
  const at = expressionAt(text.split('\n'), line.number - 1, pos - line.from);
  if (at === null || document === null) return null;
  const from = line.from + at.from;
  if (!explicit && from === pos && at.path.length === 0) return null;
  const outline = outlineOf(text);
  const [root, ...deeper] = at.path;
  const known = namesAt(at.place, document);
  if (root === undefined)
    return { from, options: [...known.map(nameOption), ...functions], validFor: /^\$?\w*$/ };
  if (!known.includes(root)) return null;
  const found = root === 'item' && deeper.length === 0 ? await columnsOfItem(at, outline, names) : [];
  const below =
    root === 'connectors' && deeper.length === 0
      ? [...connectors.keys(), ...outline.connectors]
      : namesBelow(root, deeper, outline);
  const options = [...below.map(nameOption), ...found];
  return options.length === 0 ? null : { from, options, validFor: /^\w*$/ };
}

/** What a function gives; null for a word that is none. */
export function meaningOfFunction(word: string): string | null {
  const found = expressionFunctions.find((one) => nameOf(one) === word);
  return found === undefined ? null : `${found[0]}: ${found[1]}`;
}

const functions: readonly Completion[] = expressionFunctions.map((one) => ({
  label: nameOf(one),
  apply: `${nameOf(one)}(`,
  detail: one[0].slice(nameOf(one).length),
  info: one[1],
  type: 'function',
  boost: -1,
}));

function nameOption(label: string): Completion {
  return { label, type: 'variable' };
}

async function columnsOfItem(
  { place }: ExpressionPlace,
  { steps }: DocumentOutline,
  names: Vocabulary['names'],
): Promise<readonly Completion[]> {
  const step = stepOfItem(place);
  const columns = step === null ? [] : await columnsOfStep(steps, step, names);
  return columns.map(({ name, type }) => ({
    label: name,
    apply: /^[A-Za-z_]\w*$/.test(name) ? name : `\`${name}\``,
    type: 'variable',
    ...(type !== '' && { detail: type }),
  }));
}

function namesBelow(
  root: string,
  [step, ...deeper]: readonly string[],
  outline: DocumentOutline,
): readonly string[] {
  if (root === 'steps' && step !== undefined)
    return deeper.length === 0 && outline.steps.has(step) ? ofStep : [];
  if (step !== undefined) return [];
  switch (root) {
    case 'steps':
      return [...outline.steps.keys()];
    case 'args':
      return outline.args;
    case 'job_config':
      return outline.jobConfig;
    case 'filter':
      return outline.filters;
    case 'run':
      return ofRun;
    case 'job':
      return ofJob;
    case 'state':
      return ['cursor'];
    default:
      return [];
  }
}
