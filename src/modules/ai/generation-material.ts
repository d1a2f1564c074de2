import { AppError, type Problem, requireFound, validationError } from '../../base/errors.ts';
import type { Paging } from '../../http/paging.ts';
import type { Db } from '../../store/store.ts';
import type { Answer, Input } from '../../threads/messages/calls.ts';
import type { AiReferenceRow } from '../ai-references/ai-reference.ts';
import { selectAiReferencesById, selectEnabledAiReferences } from '../ai-references/ai-reference-store.ts';
import { selectConnectorsById } from '../connectors/connector-store.ts';
import { selectDashboardTemplate } from '../dashboard-templates/dashboard-template-store.ts';
import { selectJobTemplate } from '../job-templates/job-template-store.ts';
import { selectTask, selectTasks, selectTasksByName } from '../tasks/task-store.ts';
import type { Written } from './prompt/compact-schema.ts';
import { nounOf, type PromptConnector, type Wish } from './prompt/prompts.ts';

/** Characters of default references; of requested ones. */
const REFERENCE_CHARS_DEFAULT = 60_000;
const REFERENCE_CHARS_MAX = 200_000;
const RESOURCES_TOLD_MAX = 200;
const COLUMNS_TOLD_MAX = 200;
/** Resources of one connector with a lookup of their columns. */
const DESCRIBED_MAX = 5;
const LOOK_MS_MAX = 5_000;
/** The newest tasks that the model may choose from; of those named in the prompt it sees the text. */
const TASKS_TOLD_MAX = 200;
const TASK_TEXTS_MAX = 10;

export interface GenerationRequest {
  readonly kind: Written;
  readonly prompt: string;
  readonly connectorIds: readonly number[];
  /** Undefined: the enabled ones, up to a budget. */
  readonly referenceIds: readonly number[] | undefined;
  /** The definition to change. */
  readonly changedId: number | undefined;
  /** The job template of a dashboard; undefined for other kinds. */
  readonly jobTemplateId: number | undefined;
}

export interface MaterialDeps {
  readonly db: Db;
  /** Asks a connector in the worker host, as `connectorCalls` does. */
  readonly introspect: (
    id: number,
    request: Omit<Input<'introspect'>, 'connector'>,
  ) => Promise<Answer<'introspect'>>;
  /** Default 5,000. */
  readonly lookMsMax?: number;
}

export interface GenerationMaterial {
  readonly wish: Wish;
  readonly jobTemplateId: number | undefined;
  readonly referencesUsed: readonly {
    readonly id: number;
    readonly name: string;
    readonly version: number;
  }[];
}

/** The definition to change, by the kind of document: where it is, and the key of the request that names it. */
const CHANGED = {
  task: { key: 'task_id', select: selectTask },
  'job-template': { key: 'template_id', select: selectJobTemplate },
  dashboard: { key: 'dashboard_template_id', select: selectDashboardTemplate },
} as const;

/**
 * The material of a request for the model. A connector that does not answer in time is included without its resources.
 * `VALIDATION_ERROR` names every connector, reference and definition that does not exist, and references that are too long together.
 */
export async function gatherMaterial(
  deps: MaterialDeps,
  request: GenerationRequest,
): Promise<GenerationMaterial> {
  const { db } = deps;
  const { kind, prompt, connectorIds, changedId, jobTemplateId } = request;
  const problems: Problem[] = [];
  const connectors = await selectConnectorsById(db, connectorIds);
  problems.push(...missing('connector_ids', 'connector', connectorIds, connectors));
  const { key, select } = CHANGED[kind];
  const changed = changedId === undefined ? null : await select(db, changedId);
  if (changedId !== undefined && changed === null)
    problems.push({ path: key, message: `There is no ${nounOf(kind)} "${changedId}"` });
  const references = await referencesOf(db, request.referenceIds, problems);
  if (problems.length > 0) throw validationError(problems);
  const told = connectors.map(({ id, name, type, description }) => ({ id, name, type, description }));
  return {
    wish: {
      kind,
      prompt,
      connectors: await Promise.all(told.map((connector) => lookInto(deps, connector, prompt))),
      references: references.map(({ name, content }) => ({ name, content })),
      changed: changed === null ? null : { name: changed.name, yaml: changed.yaml_content },
      around: {
        ...(kind === 'job-template' && (await tasksToChoose(db, prompt))),
        ...(jobTemplateId !== undefined && (await jobTemplateOf(db, jobTemplateId))),
      },
    },
    jobTemplateId,
    referencesUsed: references.map(({ id, name, version }) => ({ id, name, version })),
  };
}

async function tasksToChoose(db: Db, prompt: string): Promise<Wish['around']> {
  const newest: Paging = { column: 'id', descending: true, after: null, limit: TASKS_TOLD_MAX, bound: '' };
  const rows = (await selectTasks(db, { status: 'active' }, newest)).slice(0, TASKS_TOLD_MAX);
  const named = rows.map(({ name }) => name).filter((name) => isNamedIn(prompt, name));
  const texts = await selectTasksByName(db, named.slice(0, TASK_TEXTS_MAX));
  const heads = rows.map(({ name, description, connectors_json }) => {
    const yaml = texts.find((text) => text.name === name)?.yaml_content;
    return { name, description, connectors: JSON.parse(connectors_json) as unknown, ...(yaml && { yaml }) };
  });
  return { 'Tasks that exist': heads };
}

async function jobTemplateOf(db: Db, id: number): Promise<Wish['around']> {
  const { name, yaml_content } = requireFound(await selectJobTemplate(db, id), 'job template', id);
  return { 'The job template that it belongs to': { name, yaml: yaml_content } };
}

async function referencesOf(
  db: Db,
  ids: readonly number[] | undefined,
  problems: Problem[],
): Promise<AiReferenceRow[]> {
  if (ids === undefined) return enabledReferences(db);
  const rows = await selectAiReferencesById(db, ids);
  problems.push(...missing('reference_ids', 'AI reference', ids, rows));
  const chars = rows.reduce((sum, { content }) => sum + content.length, 0);
  if (chars > REFERENCE_CHARS_MAX)
    problems.push({
      path: 'reference_ids',
      message: `These references have ${chars} characters together; the limit is ${REFERENCE_CHARS_MAX}`,
    });
  return ids.flatMap((id) => rows.find((row) => row.id === id) ?? []);
}

/** In name order, those that still fit. */
async function enabledReferences(db: Db): Promise<AiReferenceRow[]> {
  let left = REFERENCE_CHARS_DEFAULT;
  const fitting = (await selectEnabledAiReferences(db)).filter(({ content_chars }) => {
    if (Number(content_chars) > left) return false;
    left -= Number(content_chars);
    return true;
  });
  const rows = await selectAiReferencesById(
    db,
    fitting.map(({ id }) => id),
  );
  return fitting.flatMap(({ id }) => rows.find((row) => row.id === id) ?? []);
}

function missing(
  path: string,
  noun: string,
  ids: readonly number[],
  found: readonly { readonly id: number }[],
): Problem[] {
  return ids.flatMap((id, index) => {
    if (found.some((row) => row.id === id)) return [];
    return [{ path: `${path}[${index}]`, message: `There is no ${noun} "${id}"` }];
  });
}

type Known = Pick<PromptConnector, 'id' | 'name' | 'type' | 'description'>;

async function lookInto(deps: MaterialDeps, connector: Known, prompt: string): Promise<PromptConnector> {
  const found: PromptConnector = { ...connector, resources: null, more: false, columns: {} };
  const listed = await look(deps, connector.id, {});
  if (listed === null || !('resources' in listed)) return found;
  const { resources } = listed;
  const named = resources.filter(({ name }) => isNamedIn(prompt, name)).slice(0, DESCRIBED_MAX);
  const described = named.map(async ({ name }) => {
    const answer = await look(deps, connector.id, { resource: name });
    return answer !== null && 'columns' in answer ? [[name, columnsOf(answer)] as const] : [];
  });
  return {
    ...found,
    resources: resources.slice(0, RESOURCES_TOLD_MAX).map(({ name, type }) => ({ name, type })),
    more: resources.length > RESOURCES_TOLD_MAX,
    columns: Object.fromEntries((await Promise.all(described)).flat()),
  };
}

function columnsOf({ columns }: Extract<Answer<'introspect'>, { columns: unknown }>) {
  return columns.slice(0, COLUMNS_TOLD_MAX).map(({ name, type }) => ({ name, type }));
}

/** Null if the connector fails or does not answer in time: the text can be written without it. */
async function look(
  { introspect, lookMsMax = LOOK_MS_MAX }: MaterialDeps,
  id: number,
  of: { resource?: string },
) {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), lookMsMax);
  const answer = introspect(id, { ...of, options: {} }).catch((error: unknown) => {
    if (error instanceof AppError) return null;
    throw error;
  });
  // The caller has left by then.
  answer.catch(() => undefined);
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** `sales.orders` is named by "orders" too. */
function isNamedIn(prompt: string, resource: string): boolean {
  const last = resource.split('.').at(-1) ?? resource;
  return last.length > 1 && prompt.toLowerCase().includes(last.toLowerCase());
}
