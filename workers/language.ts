import { LRUCache } from 'lru-cache';
import { AppError, validationError } from '../src/base/errors.ts';
import { sha256 } from '../src/base/ids.ts';
import { canonicalJson, isRecord } from '../src/base/json.ts';
import { loadConnectorTypes } from '../src/drivers/registry.ts';
import { parseBundleZip, writeBundleZip } from '../src/language/bundle/bundle-zip.ts';
import { parseBundle } from '../src/language/bundle/parse-bundle.ts';
import { writeBundle } from '../src/language/bundle/write-bundle.ts';
import type { ConnectorTypes } from '../src/language/connector-types.ts';
import { parseDashboard } from '../src/language/dashboard/parse-dashboard.ts';
import { publicProjection } from '../src/language/dashboard/public-projection.ts';
import { ExpressionError } from '../src/language/expression/expression.ts';
import type { ParseExpression } from '../src/language/expression/parse-expression.ts';
import { everyStep, parseTask } from '../src/language/task/parse-task.ts';
import { planReplay } from '../src/language/task/replay-plan.ts';
import { runTaskProblems, tasksRunBy } from '../src/language/task/steps/control/child-tasks.ts';
import { RUN_TASK_DEPTH_MAX } from '../src/language/task/steps/control/run-task-depth.ts';
import { stateNames } from '../src/language/task/steps/steps.ts';
import { checkNodes } from '../src/language/template/check-nodes.ts';
import { dagOf } from '../src/language/template/dag.ts';
import type { JobTemplate } from '../src/language/template/parse-template.ts';
import { parseJobTemplate } from '../src/language/template/parse-template.ts';
import type { TaskNode } from '../src/language/template/task-node.ts';
import {
  defaultsOf,
  settleJobConfig,
  settleJobConfigEntry,
} from '../src/language/template/validate-job-config.ts';
import { keptExpressions } from '../src/language/yaml/kept-expressions.ts';
import { loadYaml } from '../src/language/yaml/load-yaml.ts';
import type { Answer, Input } from '../src/threads/messages/calls.ts';
import type { JobConcurrencyInfo, NodeInfo } from '../src/threads/messages/definition-info.ts';
import { hostSettings, serveCalls } from '../src/threads/serve-calls.ts';

type Kinds =
  | 'parse_task'
  | 'parse_tasks'
  | 'check_run_tasks'
  | 'check_replay'
  | 'cursor_steps'
  | 'parse_template'
  | 'check_nodes'
  | 'parse_dashboard'
  | 'parse_bundle'
  | 'write_bundle'
  | 'validate_job_config'
  | 'render_node'
  | 'job_key';

const TEMPLATES_MAX = 32;
/** A longer key is replaced by its hash. */
const KEY_CHARS_MAX = 200;

function createLanguage() {
  let types: Promise<ConnectorTypes> | null = null;
  /** Loaded with the first text that is to be saved: threads that only read stored ones do without. */
  const connectorTypes = () => {
    types ??= loadConnectorTypes(hostSettings().data.drivers);
    return types;
  };
  const templates = new LRUCache<string, JobTemplate>({ max: TEMPLATES_MAX, memoMethod: storedTemplate });
  const parseExpression = keptExpressions();
  return serveCalls<Kinds>(
    {
      parse_task: async ({ yaml }) => parseTaskInfo(yaml, await connectorTypes(), parseExpression),
      parse_tasks: async ({ yamls }) => {
        const types = await connectorTypes();
        return yamls.map((yaml) => parseTaskInfo(yaml, types, parseExpression));
      },
      check_run_tasks: async ({ name, yaml, tasks }) => ({
        problems: runTaskProblems(yaml, name, {
          findText: (other) => textNamed(tasks, other),
          isSaved: true,
          checksExpressions: false,
        }),
      }),
      check_replay: async (input) => checkReplay(input),
      cursor_steps: async ({ yaml, tasks }) => ({ steps: cursorSteps(yaml, tasks, 1) }),
      parse_template: async ({ yaml }) => parseTemplateInfo(yaml, await connectorTypes()),
      check_nodes: async ({ templateYaml, tasks, problems }) => checkNodes(templateYaml, tasks, problems),
      parse_dashboard: async ({ yaml, vars, against }) => {
        const saving = against === undefined ? {} : { ...against, connectorTypes: await connectorTypes() };
        const parsed = parseDashboard(yaml, vars === null ? saving : { ...saving, vars });
        if (!parsed.ok) return { ok: false, problems: [...parsed.problems] };
        return { ok: true, dashboard: parsed.dashboard, publicDashboard: publicProjection(parsed.dashboard) };
      },
      parse_bundle: async (input) => {
        const parsed = 'zip' in input ? parseBundleZip(input.zip) : parseBundle(input.yaml);
        return parsed.ok ? { ok: true, bundle: parsed.value } : { ok: false, problems: [...parsed.problems] };
      },
      write_bundle: async (input) => bundleText(input),
      validate_job_config: (input) => validate(templates.memo(input.templateYaml), input),
      render_node: (input) => renderNode(templates.memo(input.templateYaml), input),
      job_key: ({ templateYaml, scope }) => keyOf(templates.memo(templateYaml), scope),
    },
    { toAppError },
  );
}

/** What cannot be read again is no export: a bundle that is too large, or a name that no bundle can hold. */
function bundleText({ bundle, format }: Input<'write_bundle'>): string {
  const zip = format === 'zip' ? writeBundleZip(bundle) : null;
  const yaml = zip === null ? writeBundle(bundle) : '';
  const read = zip === null ? parseBundle(yaml) : parseBundleZip(zip);
  if (read.ok) return zip === null ? yaml : Buffer.from(zip).toString('base64');
  const [first] = read.problems;
  const message = `A bundle of these definitions could not be imported: ${first?.path ?? ''} ${first?.message ?? ''}`;
  throw new AppError('UNPROCESSABLE', message, { details: read.problems });
}

function parseTaskInfo(
  yaml: string,
  connectorTypes: ConnectorTypes,
  parseExpression: ParseExpression,
): Answer<'parse_task'> {
  const parsed = parseTask(yaml, { connectorTypes, parseExpression });
  if (!parsed.ok) return { ok: false, problems: [...parsed.problems] };
  const { name, description, labels, connectors, metrics, concurrency, deadlineMs } = parsed.task;
  const limits = { ...(concurrency && { concurrency }), ...(deadlineMs && { deadlineMs }) };
  const runs = tasksRunBy(parsed.task);
  const scripts = everyStep(parsed.task).some(({ kind }) => kind === 'script') || undefined;
  return { ok: true, info: { name, description, labels, connectors, limits, runs, scripts }, metrics };
}

function checkReplay({ yaml, stepId, tasks }: Input<'check_replay'>): Answer<'check_replay'> {
  const parsed = parseTask(yaml);
  if (!parsed.ok) return { ok: false, message: 'The task is not valid any more: use "current"' };
  const plan = planReplay(parsed.task, stepId, (name) => {
    const text = textNamed(tasks, name);
    return text === undefined ? undefined : parseTask(text);
  });
  return plan.ok ? { ok: true } : plan;
}

/** Those of the tasks that its steps run are kept under the steps' ids. */
function cursorSteps(
  yaml: string,
  tasks: Input<'cursor_steps'>['tasks'],
  depth: number,
): Answer<'cursor_steps'>['steps'] {
  const parsed = parseTask(yaml);
  if (!parsed.ok) return null;
  const steps = everyStep(parsed.task);
  const withCursor = steps.filter((step) => step.kind === 'extract' && step.cursor !== null);
  const kept = new Set(steps.flatMap(stateNames));
  const inside = steps.flatMap((step) => {
    const text = step.kind === 'run_task' ? textNamed(tasks, step.task) : undefined;
    if (text === undefined || depth >= RUN_TASK_DEPTH_MAX) return [];
    return (cursorSteps(text, tasks, depth + 1) ?? []).map((name) => `${step.id}/${name}`);
  });
  return [...withCursor.map(({ id }) => id), ...[...kept].map((name) => `state/${name}`), ...inside];
}

function textNamed(texts: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(texts, name) ? texts[name] : undefined;
}

function parseTemplateInfo(yaml: string, connectorTypes: ConnectorTypes): Answer<'parse_template'> {
  const parsed = parseJobTemplate(yaml, { connectorTypes });
  if (!parsed.ok) return { ok: false, problems: [...parsed.problems] };
  const { template } = parsed;
  return {
    ok: true,
    info: {
      name: template.name,
      description: template.description,
      args: template.args,
      tasks: Object.values(template.tasks).map(nodeInfo),
      connectors: template.connectors,
      levels: template.levels,
      labels: template.labels,
      concurrency: concurrencyInfo(template),
      deadlineMs: template.deadlineMs,
      slaMs: template.slaMs,
      dag: dagOf(template),
      jobConfig: jobConfigSource(yaml),
      jobConfigDefaults: defaultsOf(template.jobConfig),
    },
  };
}

function concurrencyInfo({ concurrency }: JobTemplate): JobConcurrencyInfo | null {
  if (concurrency === null) return null;
  const { limit, onConflict, key } = concurrency;
  return { limit, onConflict, keyExpr: key?.source ?? null };
}

function nodeInfo(node: TaskNode): NodeInfo {
  const { key, task, needs, connectors, runIf, allowFailure, retry, timeoutMs, foreach } = node;
  return {
    key,
    task,
    needs,
    connectors,
    runIf,
    allowFailure,
    retry,
    timeoutMs,
    when: node.when?.source ?? null,
    argsSource: node.args.source,
    foreach: foreach && { items_expr: foreach.items.source, concurrency: foreach.concurrency },
  };
}

/** The section as its author wrote it, with expressions as text. */
function jobConfigSource(yaml: string): Record<string, unknown> {
  const loaded = loadYaml(yaml);
  const document = loaded.ok ? loaded.document.value : null;
  const section = isRecord(document) ? document['job_config'] : null;
  return isRecord(section) ? section : {};
}

function storedTemplate(yaml: string): JobTemplate {
  const parsed = parseJobTemplate(yaml);
  if (!parsed.ok) throw validationError(parsed.problems);
  return parsed.template;
}

async function validate(
  { jobConfig }: JobTemplate,
  { key, values, all }: Input<'validate_job_config'>,
): Promise<Answer<'validate_job_config'>> {
  if (key === undefined) {
    const settled = await settleJobConfig(jobConfig, values);
    return { problems: [...settled.problems], values: settled.values };
  }
  const settled = await settleJobConfigEntry(jobConfig, key, values, all ?? {});
  const { problems, value, hidden } = settled;
  return { problems: [...problems], values: value ?? null, ...(hidden && { hidden: [...hidden] }) };
}

async function renderNode(
  template: JobTemplate,
  { key, scope }: Input<'render_node'>,
): Promise<Answer<'render_node'>> {
  const node = Object.hasOwn(template.tasks, key) ? template.tasks[key] : undefined;
  if (node === undefined) throw new AppError('NOT_FOUND', `There is no task "${key}" in the template`);
  const when = node.when === null ? true : isTrue(await node.when.evaluate(scope));
  const args = when ? await node.args.render(scope) : {};
  return { when, args: isRecord(args) ? args : {} };
}

/** An expression that finds nothing has a key as well: those runs count together. */
async function keyOf(
  { concurrency }: JobTemplate,
  scope: Input<'job_key'>['scope'],
): Promise<Answer<'job_key'>> {
  try {
    const value = (await concurrency?.key?.evaluate(scope)) ?? null;
    const key = canonicalJson(value);
    return { ok: true, key: key.length > KEY_CHARS_MAX ? sha256(key) : key };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { ok: false, message: `"concurrency.key_expr" failed: ${error.message}` };
  }
}

/** As JSONata's `$boolean`: nothing, null, 0, the empty text, and empty lists and objects are false. */
function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isTrue);
  return isRecord(value) ? Object.keys(value).length > 0 : Boolean(value);
}

function toAppError(error: unknown): AppError | null {
  return error instanceof ExpressionError
    ? new AppError('UNPROCESSABLE', `An expression failed: ${error.message}`, { cause: error })
    : null;
}

export default createLanguage();
