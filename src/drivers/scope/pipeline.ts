import { isRecord } from '../../base/json.ts';
import { scopeDocument } from './document.ts';
import { type ScopeFields, ScopeRefusal } from './scope-fields.ts';

/** How deep pipelines may be nested; a MongoDB server takes as many. */
export const pipelineDepthMax = 20;

type Stage = Readonly<Record<string, unknown>>;

/** Stages that see nothing but the documents that reach them. Any stage that is not known to is refused. */
const LOCAL_STAGES: ReadonlySet<string> = new Set([
  '$addFields',
  '$bucket',
  '$bucketAuto',
  '$count',
  '$densify',
  '$fill',
  '$group',
  '$limit',
  '$match',
  '$project',
  '$redact',
  '$replaceRoot',
  '$replaceWith',
  '$sample',
  '$set',
  '$setWindowFields',
  '$skip',
  '$sort',
  '$sortByCount',
  '$unset',
  '$unwind',
]);

/** Stages that read other documents, or hold stages that may: what becomes of their value. */
const READING_STAGES: ReadonlyMap<
  string,
  (value: unknown, fields: ScopeFields, depth: number) => Stage | Readonly<Record<string, Stage[]>>
> = new Map([
  ['$facet', scopeFacet],
  ['$graphLookup', scopeGraphLookup],
  ['$lookup', scopeLookup],
  ['$unionWith', scopeUnion],
]);

/**
 * A document database's pipeline with the scope as a `$match` first, there and in each pipeline inside that reads a collection
 * (MongoDB manual, "Aggregation Stages"). `$geoNear`, which must itself be first, takes the scope into its `query`; other
 * stages that must be first, that read anything but documents, or that write are refused.
 */
export function scopePipeline(own: unknown, name: string, fields: ScopeFields): readonly Stage[] {
  return readingPipeline(own, name, fields, pipelineDepthMax);
}

/** Stages that begin with a whole collection. */
function readingPipeline(own: unknown, name: string, fields: ScopeFields, depth: number): Stage[] {
  const stages = stagesOf(own, name, depth);
  const [first] = stages;
  if (first !== undefined && stageName(first) === '$geoNear') {
    return [
      { $geoNear: scopeNear(first['$geoNear'], fields) },
      ...scopeStages(stages.slice(1), fields, depth),
    ];
  }
  return [{ $match: { ...fields } }, ...scopeStages(stages, fields, depth)];
}

function stagesOf(own: unknown, name: string, depth: number): readonly Stage[] {
  if (depth < 0) throw new ScopeRefusal(`its pipelines are more than ${pipelineDepthMax} deep`);
  const stages = own ?? [];
  if (!Array.isArray(stages)) throw new ScopeRefusal(`its "${name}" is not a list of stages`);
  return stages.map((stage: unknown) => {
    if (isRecord(stage) && Object.keys(stage).length === 1) return stage;
    throw new ScopeRefusal(`a stage of its "${name}" is not an object with one key`);
  });
}

function stageName(stage: Stage): string {
  return Object.keys(stage)[0] ?? '';
}

function scopeStages(stages: readonly Stage[], fields: ScopeFields, depth: number): Stage[] {
  return stages.map((stage) => {
    const name = stageName(stage);
    if (LOCAL_STAGES.has(name)) return stage;
    const scopeStage = READING_STAGES.get(name);
    if (scopeStage !== undefined) return { [name]: scopeStage(stage[name], fields, depth - 1) };
    const where = name === '$geoNear' ? ' where it is not the first one' : '';
    throw new ScopeRefusal(`it does not reach into a stage "${name}"${where}`);
  });
}

function scopeNear(value: unknown, fields: ScopeFields): Stage {
  const near = specOf(value, '$geoNear');
  return { ...near, query: scopeDocument(near['query'] ?? null, 'query', fields) };
}

function scopeLookup(value: unknown, fields: ScopeFields, depth: number): Stage {
  const lookup = specOf(value, '$lookup');
  return { ...lookup, pipeline: readingPipeline(lookup['pipeline'], 'pipeline', fields, depth) };
}

function scopeUnion(value: unknown, fields: ScopeFields, depth: number): Stage {
  const union: Stage = typeof value === 'string' ? { coll: value } : specOf(value, '$unionWith');
  return { ...union, pipeline: readingPipeline(union['pipeline'], 'pipeline', fields, depth) };
}

function scopeGraphLookup(value: unknown, fields: ScopeFields): Stage {
  const lookup = specOf(value, '$graphLookup');
  const key = 'restrictSearchWithMatch';
  return { ...lookup, [key]: scopeDocument(lookup[key] ?? null, key, fields) };
}

/** The pipelines of a facet begin with what reaches it, which is scoped already. */
function scopeFacet(value: unknown, fields: ScopeFields, depth: number): Readonly<Record<string, Stage[]>> {
  const facets = Object.entries(specOf(value, '$facet'));
  return Object.fromEntries(
    facets.map(([name, stages]) => [name, scopeStages(stagesOf(stages, name, depth), fields, depth)]),
  );
}

function specOf(value: unknown, stage: string): Record<string, unknown> {
  if (isRecord(value)) return value;
  throw new ScopeRefusal(`a stage "${stage}" is not an object`);
}
