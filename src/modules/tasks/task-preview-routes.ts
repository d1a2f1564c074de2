import { z } from 'zod';
import { AppError, type Problem, validationError } from '../../base/errors.ts';
import type { ConnectorRef } from '../../drivers/connection-cache.ts';
import { member, type Role } from '../../http/access.ts';
import { Routes } from '../../http/routes.ts';
import { sendJsonText } from '../../http/send-json-text.ts';
import type { App } from '../../http/server.ts';
import type { EvaluateInput, LockInput, PreviewInput } from '../../threads/messages/calls.ts';
import { actorOf } from '../audit/audit.ts';
import { yamlField } from '../definitions/definition-fields.ts';
import { TASK_YAML } from '../definitions/yaml-examples.ts';

const ROWS_DEFAULT = 10;
const ROWS_MAX = 100;
/** Slightly above the preview's own limit, so that the preview itself reports what was slow. */
const PREVIEW_TIMEOUT_MS = 15_000;
/** The same for one expression. */
const EVALUATION_TIMEOUT_MS = 5_000;
/** Of the packages' index, which may be slow. */
const LOCK_TIMEOUT_MS = 60_000;
const OPS_MAX = 1_000;
const EXPRESSION_CHARS_MAX = 16_384;

const body = z.strictObject({
  yaml_content: yamlField.meta({ examples: [TASK_YAML] }),
  connectors: z
    .record(z.string().max(100), z.number().int().positive())
    .default({})
    .meta({ examples: [{ file: 3, warehouse: 4 }] }),
  args: z.record(z.string().max(100), z.unknown()).default({}),
  job_config: z.record(z.string().max(100), z.unknown()).default({}),
  rows: z.number().int().min(1).max(ROWS_MAX).default(ROWS_DEFAULT),
  record: z
    .string()
    .min(1)
    .max(200)
    .nullable()
    .default(null)
    .describe(
      'Name of an example: the response then contains the preview as an item of `tests`, in `example`',
    )
    .meta({ examples: [null] }),
});
const preview = z
  .object({
    failure: z.object({ code: z.string(), message: z.string(), step: z.string().nullable() }).nullable(),
    steps: z
      .array(z.record(z.string(), z.unknown()))
      .describe('`would` is what a step would have written or called'),
    example: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('Null unless requested with `record`, and if the preview did not complete'),
  })
  .meta({ id: 'TaskPreview' });

const evaluateBody = z.strictObject({
  yaml_content: yamlField.meta({ examples: [TASK_YAML] }),
  step: z
    .string()
    .max(100)
    .describe('Id of the step that has the expression')
    .meta({ examples: ['shape'] }),
  ops_before: z
    .number()
    .int()
    .min(0)
    .max(OPS_MAX)
    .default(0)
    .describe('Number of operations before the expression in the transform; they run first'),
  expression: z
    .string()
    .max(EXPRESSION_CHARS_MAX)
    .meta({ examples: ['$uppercase(item.customer)'] }),
  row: z
    .record(z.string(), z.unknown())
    .describe('As received by the step')
    .meta({ examples: [{ id: 1, customer: 'Nord' }] }),
  args: z.record(z.string().max(100), z.unknown()).default({}),
  job_config: z.record(z.string().max(100), z.unknown()).default({}),
});
const evaluated = z
  .object({
    value: z.unknown().describe('Null if the expression matches nothing, or on a problem'),
    item: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('The `item` of the expression; null if the row does not get that far'),
    problem: z
      .object({
        message: z.string(),
        position: z
          .number()
          .int()
          .nullable()
          .describe('Character offset in the expression, from 0; null if uncertain'),
      })
      .nullable(),
  })
  .meta({ id: 'EvaluatedExpression' });

const lockBody = z.strictObject({
  yaml_content: yamlField.meta({ examples: [TASK_YAML] }),
  upgrade: z
    .boolean()
    .default(false)
    .describe('Whether newer versions replace those of the locks; otherwise they stay while they fit'),
});
const locked = z
  .object({
    yaml_content: yamlField.describe('The same text with the locks; all else is as it was'),
    steps: z.number().int().describe('Number of script steps with a lock'),
  })
  .meta({ id: 'LockedTask' });

const group = { tag: 'Tasks', write: member('editor', 'tasks:run') };

export interface TaskPreviewDeps {
  /** Runs it in the worker host; the answer's JSON text. */
  readonly preview: (
    input: PreviewInput,
    options: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ) => Promise<string>;
  /** Evaluates it in the worker host; the answer's JSON text. */
  readonly evaluate: (
    input: EvaluateInput,
    options: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ) => Promise<string>;
  /** Pins in the worker host what its scripts import; the answer's JSON text. */
  readonly lock: (
    input: LockInput,
    options: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ) => Promise<string>;
  /** YAML of the tasks that a text runs, as they are now, by name. */
  readonly childTexts: (yaml: string) => Promise<Readonly<Record<string, string>>>;
  readonly connectorRef: (id: number) => Promise<ConnectorRef>;
  /** Whether script steps run for a caller of this role. */
  readonly mayTryScripts: (role: Role | undefined) => boolean;
}

export function registerTaskPreviewRoutes(app: App, deps: TaskPreviewDeps): void {
  const routes = new Routes(app, group);
  routes.post(
    '/api/tasks/preview',
    {
      id: 'previewTask',
      summary: 'Run the steps of a YAML on a few rows; reports what would be written without writing it',
      body,
      answer: preview,
      errors: ['CONNECTOR_ERROR', 'UNPROCESSABLE', 'NOT_READY'],
    },
    async (request, reply) => {
      const { yaml_content, args, job_config, rows, record } = request.body;
      const connectors = await connectorsOf(request.body.connectors, deps);
      const tasks = await deps.childTexts(yaml_content);
      const scripts = deps.mayTryScripts(actorOf(request).role);
      const input = {
        yaml: yaml_content,
        tasks,
        args,
        jobConfig: job_config,
        connectors,
        rowsMax: rows,
        record,
        scripts,
      };
      return sendJsonText(reply, (signal) => deps.preview(input, { timeoutMs: PREVIEW_TIMEOUT_MS, signal }));
    },
  );
  routes.post(
    '/api/tasks/evaluate',
    {
      id: 'evaluateExpression',
      summary: 'The value of an expression of a task on one row; no connector is opened',
      body: evaluateBody,
      answer: evaluated,
      errors: ['UNPROCESSABLE', 'NOT_READY'],
    },
    async (request, reply) => {
      const { yaml_content, step, ops_before, expression, row, args, job_config } = request.body;
      const input = {
        yaml: yaml_content,
        stepId: step,
        opsBefore: ops_before,
        source: expression,
        row,
        args,
        jobConfig: job_config,
      };
      return sendJsonText(reply, (signal) =>
        deps.evaluate(input, { timeoutMs: EVALUATION_TIMEOUT_MS, signal }),
      );
    },
  );
  registerLock(routes, deps);
}

function registerLock(routes: Routes, deps: TaskPreviewDeps): void {
  routes.post(
    '/api/tasks/lock',
    {
      id: 'lockTask',
      summary: 'A YAML with the packages of its script steps pinned; needs the right to save scripts',
      body: lockBody,
      answer: locked,
      errors: ['UNPROCESSABLE', 'NOT_READY'],
    },
    async (request, reply) => {
      if (!deps.mayTryScripts(actorOf(request).role))
        throw new AppError('FORBIDDEN', 'Only those who may save scripts pin their packages (SVC_SCRIPTS)');
      const { yaml_content: yaml, upgrade } = request.body;
      return sendJsonText(reply, (signal) =>
        deps.lock({ yaml, upgrade }, { timeoutMs: LOCK_TIMEOUT_MS, signal }),
      );
    },
  );
}

/** `VALIDATION_ERROR` names every connector that does not exist. */
async function connectorsOf(
  given: Readonly<Record<string, number>>,
  { connectorRef }: TaskPreviewDeps,
): Promise<PreviewInput['connectors']> {
  const problems: Problem[] = [];
  const pairs = Object.entries(given).map(async ([local, id]) => {
    try {
      return [[local, { ...(await connectorRef(id)), name: local }] as const];
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'NOT_FOUND') throw error;
      problems.push({ path: `connectors.${local}`, message: `There is no connector "${id}" for "${local}"` });
      return [];
    }
  });
  const connectors = Object.fromEntries((await Promise.all(pairs)).flat());
  if (problems.length > 0) throw validationError(problems);
  return connectors;
}
