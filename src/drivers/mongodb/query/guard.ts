import { isRecord } from '../../../base/json.ts';
import { ConnectorError } from '../../driver.ts';
import { fromExtended } from '../values/extended-json.ts';
import { OPERATORS, STAGES, UPDATE_OPERATORS, UPDATE_STAGES } from './operators.ts';

type Document = Record<string, unknown>;

/** How deep filters and pipelines may be nested. */
const depthMax = 100;

/** Stages with pipelines inside, and where. */
const PIPELINES: Readonly<
  Record<string, (spec: unknown) => readonly (readonly [key: string, stages: unknown])[]>
> = {
  $facet: (spec) => (isRecord(spec) ? Object.entries(spec) : []),
  $lookup: (spec) =>
    isRecord(spec) && Object.hasOwn(spec, 'pipeline') ? [['pipeline', spec['pipeline']]] : [],
  $unionWith: (spec) =>
    isRecord(spec) && Object.hasOwn(spec, 'pipeline') ? [['pipeline', spec['pipeline']]] : [],
};

/** A filter of a caller, its Extended JSON read. Throws `CONFIG` for an operator that is not on the list, however deeply nested. */
export function readFilter(filter: unknown, name = 'filter'): Document {
  const read = fromExtended(filter, name);
  if (!isRecord(read)) throw new ConnectorError('CONFIG', `"${name}" must be a map`);
  checkOperators(read, name, depthMax);
  return read;
}

/** Stages of a caller, the same. */
export function readPipeline(pipeline: readonly unknown[], name = 'pipeline'): Document[] {
  const read = fromExtended(pipeline, name) as unknown[];
  checkPipeline(read, name, depthMax, STAGES);
  return read as Document[];
}

/** A change of a caller: operators, or stages. */
export function readUpdate(update: unknown, name = 'update'): Document | Document[] {
  const read = fromExtended(update, name);
  if (Array.isArray(read)) {
    checkPipeline(read, name, depthMax, UPDATE_STAGES);
    return read as Document[];
  }
  if (!isRecord(read) || Object.keys(read).length === 0)
    throw new ConnectorError('CONFIG', `"${name}" must be a map of operators such as {"$set": {…}}`);
  for (const [operator, change] of Object.entries(read)) {
    if (!UPDATE_OPERATORS.has(operator))
      throw new ConnectorError(
        'CONFIG',
        operator.startsWith('$')
          ? refusal(`${name}.${operator}`, operator)
          : `"${name}" holds the field "${operator.slice(0, 60)}" beside operators: write {"$set": {…}}`,
      );
    checkOperators(change, `${name}.${operator}`, depthMax);
  }
  return read;
}

/** A name of a collection that a caller may read or change. */
export function requireCollection(name: unknown, at: string): string {
  const isFit =
    typeof name === 'string' &&
    name !== '' &&
    name.length <= 200 &&
    !/[\0$]/.test(name) &&
    !name.startsWith('system.');
  if (isFit) return name;
  throw new ConnectorError(
    'CONFIG',
    `"${String(name).slice(0, 60)}" of "${at}" is not the name of a collection`,
  );
}

function checkPipeline(stages: unknown, at: string, depth: number, allowed: ReadonlySet<string>): void {
  if (!Array.isArray(stages)) throw new ConnectorError('CONFIG', `"${at}" must be a list of stages`);
  if (depth <= 0) throw tooDeep(at);
  for (const [index, stage] of stages.entries()) {
    const place = `${at}.${index}`;
    const keys = isRecord(stage) ? Object.keys(stage) : [];
    const [name = ''] = keys;
    if (!isRecord(stage) || keys.length !== 1)
      throw new ConnectorError(
        'CONFIG',
        `"${place}" must be a stage: a map with one key, such as {"$match": {…}}`,
      );
    if (!allowed.has(name)) throw new ConnectorError('CONFIG', refusal(place, name));
    checkStage(name, stage[name], `${place}.${name}`, depth - 1);
  }
}

function checkStage(name: string, spec: unknown, at: string, depth: number): void {
  const inner = PIPELINES[name]?.(spec) ?? [];
  for (const [key, stages] of inner) checkPipeline(stages, `${at}.${key}`, depth, STAGES);
  if (name === '$lookup' || name === '$graphLookup') {
    const from = isRecord(spec) ? spec['from'] : undefined;
    requireCollection(from, `${at}.from`);
  }
  if (name === '$unionWith') requireCollection(isRecord(spec) ? spec['coll'] : spec, at);
  if (!isRecord(spec) || name === '$facet') {
    if (name !== '$facet') checkOperators(spec, at, depth);
    return;
  }
  const pipelines = inner.map(([key]) => key);
  for (const [key, value] of Object.entries(spec)) {
    if (!pipelines.includes(key)) checkOperators({ [key]: value }, at, depth);
  }
}

/** Refuses every key with `$` that is not known to compute from documents alone. */
function checkOperators(value: unknown, at: string, depth: number): void {
  if (value === null || typeof value !== 'object' || '_bsontype' in value || value instanceof Date) return;
  if (depth <= 0) throw tooDeep(at);
  for (const [key, item] of Object.entries(value)) {
    if (key.startsWith('$') && !OPERATORS.has(key)) throw new ConnectorError('CONFIG', refusal(at, key));
    checkOperators(item, `${at}.${key}`, depth - 1);
  }
}

function tooDeep(at: string): ConnectorError {
  return new ConnectorError('CONFIG', `"${at.slice(0, 100)}" is nested more than ${depthMax} deep`);
}

const WRITING: ReadonlySet<string> = new Set(['$out', '$merge']);
const RUNNING: ReadonlySet<string> = new Set(['$where', '$function', '$accumulator']);

function refusal(at: string, name: string): string {
  const why = WRITING.has(name)
    ? 'it writes; load the rows into a target with a "load" step'
    : RUNNING.has(name)
      ? 'it runs code on the server'
      : 'it is not among the stages and operators that are known to compute from documents alone';
  return `"${name.slice(0, 60)}" in "${at.slice(0, 200)}" is refused: ${why}`;
}
