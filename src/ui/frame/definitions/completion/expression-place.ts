import type { YamlLevel, YamlPlace } from './yaml-place.ts';
import { placeAt } from './yaml-place.ts';

/** A cursor in an expression. */
export interface ExpressionPlace {
  /** Where in the document the expression stands. */
  readonly place: YamlPlace;
  /** The path of names before the one that is typed: `steps.read.co` has `steps` and `read`. */
  readonly path: readonly string[];
  /** What is typed of the name so far begins here, as a column from 0. */
  readonly from: number;
}

const pathPattern = /(?:(?:^|[^\w$.`])|^)((?:[A-Za-z_]\w*\.)*)(\$?\w*)$/;

/** The expression around column `column` of line `index`, bare or between double braces; null elsewhere, and in its texts. */
export function expressionAt(
  lines: readonly string[],
  index: number,
  column: number,
): ExpressionPlace | null {
  const before = (lines[index] ?? '').slice(0, column);
  const braces = before.lastIndexOf('{{');
  const isTemplate = braces >= 0 && before.indexOf('}}', braces) < 0;
  const quote = openQuote(lines, index, isTemplate ? before.slice(0, braces) : before);
  const place = placeAt(lines, index, quote ?? (isTemplate ? braces : column));
  if (place === null || (place.key === null && !isListOfTexts(place, isTemplate))) return null;
  if (!isTemplate && !isBare(place)) return null;
  const begin = isTemplate ? braces + 2 : quote === null ? place.from : quote + 1;
  const typed = before.slice(begin);
  if (isInText(typed)) return null;
  const [, path = '', name = ''] = pathPattern.exec(typed) ?? [];
  if (typed !== '' && !pathPattern.test(typed)) return null;
  return { place, path: path.split('.').filter(Boolean), from: column - name.length };
}

/** What an expression reads at a place of this kind of document. */
export function namesAt(
  { levels, key }: YamlPlace,
  document: 'task' | 'job-template' | 'dashboard',
): readonly string[] {
  if (document === 'job-template') {
    if (levels.at(-1)?.step === 'concurrency') return ['args', 'job_config'];
    const names = ['args', 'job_config', 'connectors', 'run'];
    return isOfItems(levels) ? [...names, 'item', 'index'] : names;
  }
  if (document === 'dashboard') return namesOfDashboard(levels, key);
  const names = ['args', 'job_config', 'connectors', 'state', 'run', 'steps'];
  if (levels.some(({ step }) => step === 'on_failure' || step === 'finally')) names.push('failure');
  if (levels.some(({ step }) => step === 'lookup')) return [...names, 'key', 'keys'];
  const loop = levels.find(({ entries }) => entries.get('kind') === 'foreach');
  const isInLoop = loop !== undefined && levels.at(-1) !== loop;
  if (isInLoop) names.push(loop.entries.get('as') || 'item', 'index');
  if (readsRows(levels, key)) names.push('item', 'index');
  return [...new Set(names)];
}

/** Whether these are the arguments of a node whose task runs for each item. */
function isOfItems(levels: readonly YamlLevel[]): boolean {
  const args = levels.findIndex(({ step }) => step === 'args');
  return levels[args - 1]?.entries.has('foreach_expr') === true;
}

/** The step whose rows an expression reads as `item`; null where it reads none. */
export function stepOfItem({ levels }: YamlPlace): string | null {
  return (
    levels.findLast(({ entries }) => entries.has('kind') && entries.has('input'))?.entries.get('input') ||
    null
  );
}

function readsRows(levels: readonly YamlLevel[], key: string | null): boolean {
  if (levels.some(({ step }) => step === 'ops')) return true;
  const kind = levels.at(-1)?.entries.get('kind') ?? '';
  return key === 'when' && ['transform', 'script', 'load'].includes(kind);
}

function namesOfDashboard(levels: readonly YamlLevel[], key: string | null): readonly string[] {
  const names = ['job', 'job_config', 'args', 'filter'];
  const isOfData =
    levels.some(({ step }) => step === 'columns' || step === 'series') || key?.endsWith('_expr');
  if (levels.some(({ step }) => step === 'args' || step === 'run')) return names;
  return isOfData ? [...names, 'data', 'item', 'index', 'value'] : names;
}

/** Keys whose value is an expression without braces. */
function isBare({ levels, key }: YamlPlace): boolean {
  if (key === null) return false;
  if (key.endsWith('_expr') || key === 'when') return true;
  const isInOps = levels.some(({ step }) => step === 'ops');
  const around = levels.at(-1)?.step;
  return isInOps && ((key === 'filter' && around === null) || around === 'set' || around === 'map');
}

function isListOfTexts({ levels }: YamlPlace, isTemplate: boolean): boolean {
  return isTemplate && levels.length > 1;
}

/** Where a quoted value began that is not closed yet: a quote inside of a bare value is one of the expression. */
function openQuote(lines: readonly string[], index: number, text: string): number | null {
  let open: number | null = null;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (open !== null && char === text[open]) open = null;
    else if (open === null && (char === '"' || char === "'") && placeAt(lines, index, at)?.from === at)
      open = at;
  }
  return open;
}

/** Whether an expression has an open text at its end. */
function isInText(typed: string): boolean {
  const rest = typed.replace(/"[^"]*"|'[^']*'/g, '');
  return rest.includes('"') || rest.includes("'");
}
