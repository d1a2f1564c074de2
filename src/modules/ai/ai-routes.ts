import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import { AI_PROVIDERS } from '../../config.ts';
import { member, type Scope, scopeAllows } from '../../http/access.ts';
import { createCallerLimit } from '../../http/caller-limit.ts';
import { principalOf } from '../../http/guard.ts';
import { errorSchema, mediaAnswer, problemSchema } from '../../http/operation.ts';
import { Routes } from '../../http/routes.ts';
import { sendJsonText } from '../../http/send-json-text.ts';
import type { App } from '../../http/server.ts';
import type { EventStream } from '../../http/sse.ts';
import { eventStreamText, openEventStream } from '../../http/sse.ts';
import { actorOf } from '../audit/audit.ts';
import type { Ai } from './ai-service.ts';
import type { GeneratedTask, GenerationProgress } from './generate-task.ts';
import type { TaskRequest } from './task-material.ts';

const PROMPT_CHARS_MAX = 20_000;
const CONNECTORS_MAX = 10;
const REFERENCES_MAX = 50;
const BODY_BYTES_MAX = 262_144;
/** Every request to the provider costs money. */
const GENERATIONS = { requestsMax: 10, message: 'Too many generated tasks: try again later' } as const;
const group = { tag: 'AI', read: member('viewer', 'ai:read'), write: member('editor', 'ai:run') };

const status = z
  .object({
    configured: z.boolean().describe('Whether `ai.api_key` is set'),
    provider: z.enum(AI_PROVIDERS),
    model: z.string(),
    base_url_host: z.string(),
    max_tokens: z.number().int(),
    timeout_seconds: z.number().int(),
  })
  .meta({
    id: 'AiStatus',
    examples: [
      {
        configured: true,
        provider: 'openai',
        model: 'llama3.3',
        base_url_host: '127.0.0.1:11434',
        max_tokens: 16_000,
        timeout_seconds: 120,
      },
    ],
  });

const id = z.int().positive();
const distinctIds = (max: number) =>
  z
    .array(id)
    .max(max)
    .refine((ids) => new Set(ids).size === ids.length, 'names one twice');

const wish = z
  .strictObject({
    prompt: z.string().trim().min(1).max(PROMPT_CHARS_MAX).describe('What the task should do'),
    connector_ids: distinctIds(CONNECTORS_MAX)
      .optional()
      .describe(
        'The model sees their names, types, and the names of their resources, never their configuration',
      ),
    reference_ids: distinctIds(REFERENCES_MAX)
      .optional()
      .describe('Default: the enabled references in name order, up to 60,000 characters'),
    task_id: id.optional().describe('The task to change'),
    stream: z.boolean().optional().describe('Answer with server-sent events'),
  })
  .meta({ examples: [{ prompt: 'Copy open orders of the shop into the warehouse', connector_ids: [3, 4] }] });

const generated = z
  .object({
    yaml_content: z.string(),
    valid: z.literal(true),
    problems: z.array(problemSchema).describe('Always empty: a task with problems is not returned'),
    references_used: z.array(z.object({ id: z.number().int(), name: z.string(), version: z.number().int() })),
    attempts: z.number().int().describe('The number of requests to the model, at most 3'),
    usage: z.object({ input_tokens: z.number().int(), output_tokens: z.number().int() }),
  })
  .meta({
    id: 'GeneratedTask',
    examples: [
      {
        yaml_content: 'version: 1\nname: hello\nsteps:\n  - { id: say, kind: log, message: hello }\n',
        valid: true,
        problems: [],
        references_used: [{ id: 2, name: 'Naming of tables', version: 1 }],
        attempts: 1,
        usage: { input_tokens: 7_210, output_tokens: 180 },
      },
    ],
  });

const attempt = z.number().int().describe('Which request to the model');
/** The data of the stream's events. */
const generationEvents = {
  progress: z.object({ attempt, phase: z.enum(['generating', 'validating', 'repairing']) }),
  delta: z.object({ attempt, text: z.string().describe('The next part of what the model writes') }),
  problems: z.object({ attempt, problems: z.array(problemSchema) }).describe('What the validator found'),
  result: generated,
  error: errorSchema
    .omit({ request_id: true })
    .extend({ retry_after_seconds: z.number().optional() })
    .describe('It failed; the last event'),
};

const DESCRIPTION =
  'The task has passed the validator of `POST /api/tasks`; it is not saved. If the model gives no valid task in 3 attempts, the answer is `UNPROCESSABLE`, with the problems of the last attempt in `details`; its YAML is only in the `delta` events of a stream. `CONNECTOR_ERROR`: the provider refuses, fails, or does not answer in time; with `Retry-After` where the provider says when to try again. ' +
  'With `stream` the answer is `text/event-stream`, if the request is valid: `progress {attempt, phase}` (generating, validating, repairing), `delta {attempt, text}`, `problems {attempt, problems}`, and at the end `result` (the answer as above) or `error {error, message, details, retry_after_seconds}`. If the client disconnects, the request to the provider is cancelled. To name connectors, an API key also needs `connectors:read`; to name a task, `tasks:read`.';

export function registerAiRoutes(app: App, { ai }: { readonly ai: Ai }): void {
  const routes = new Routes(app, group);
  routes.get(
    '/api/ai/status',
    { id: 'getAiStatus', summary: 'Which model writes tasks, and whether it is configured', answer: status },
    async () => ai.status(),
  );

  const count = createCallerLimit(app, GENERATIONS);
  const stopping = new AbortController();
  app.addHook('preClose', async () => stopping.abort());
  const generate = {
    id: 'generateTask',
    summary: 'Have a model write or change a task',
    description: DESCRIPTION,
    body: wish,
    answer: mediaAnswer('The task; with `stream` the events of its making', {
      'application/json': generated,
      'text/event-stream': eventStreamText('GenerationEvent', generationEvents),
    }),
    errors: ['UNPROCESSABLE', 'CONNECTOR_ERROR', 'NOT_READY'],
    bodyLimit: BODY_BYTES_MAX,
  } as const;
  routes.post('/api/ai/generate-task', generate, async (request, reply) => {
    const { body } = request;
    requireScopes(request, body);
    await count(request);
    const prepared = await ai.prepare(requestOf(body));
    if (body.stream === true) {
      const stream = openEventStream(request, reply, stopping.signal);
      await streamGeneration(stream, request.log, (progress) =>
        ai.generate(prepared, progress, actorOf(request), stream.signal),
      );
      return reply;
    }
    return answerWhole(reply, stopping.signal, async (signal) =>
      JSON.stringify(await ai.generate(prepared, SILENT, actorOf(request), signal)),
    );
  });
}

/** Aborts with the client or the server. */
function answerWhole(
  reply: FastifyReply,
  stopping: AbortSignal,
  work: (signal: AbortSignal) => Promise<string>,
): Promise<FastifyReply> {
  return sendJsonText(reply, (client) =>
    work(AbortSignal.any([client, stopping])).catch((error: unknown) => {
      if (!stopping.aborted) throw error;
      throw new AppError('NOT_READY', 'The server is stopping: try again');
    }),
  );
}

const SILENT: GenerationProgress = {
  phase: async () => undefined,
  text: null,
  problems: async () => undefined,
};

type Wish = z.output<typeof wish>;

function requestOf(body: Wish): TaskRequest {
  const { prompt, connector_ids = [], reference_ids, task_id } = body;
  return { prompt, connectorIds: connector_ids, referenceIds: reference_ids, taskId: task_id };
}

/** The caller must be allowed to read everything that the model sees. */
function requireScopes(request: FastifyRequest, body: Wish): void {
  const principal = principalOf(request);
  if (principal.type !== 'api_key') return;
  const needed: Scope[] = [
    ...(body.connector_ids?.length ? (['connectors:read'] as const) : []),
    ...(body.task_id === undefined ? [] : (['tasks:read'] as const)),
    ...(body.reference_ids?.length ? (['ai-references:read'] as const) : []),
  ];
  const lacking = needed.find((scope) => !scopeAllows(principal.scopes, scope));
  if (lacking === undefined) return;
  throw new AppError('FORBIDDEN', `This needs the scope "${lacking}", which the API key does not have`);
}

/** Streams a generation and its end as events; never rejects. A client that has left gets nothing. */
async function streamGeneration(
  stream: EventStream,
  log: Pick<FastifyBaseLogger, 'error'>,
  generate: (progress: GenerationProgress) => Promise<GeneratedTask>,
): Promise<void> {
  const progress: GenerationProgress = {
    phase: (phase, attempt) => stream.send({ event: 'progress', data: { attempt, phase } }),
    text: (attempt, text) => stream.send({ event: 'delta', data: { attempt, text } }),
    problems: (attempt, problems) => stream.send({ event: 'problems', data: { attempt, problems } }),
  };
  try {
    await stream.send({ event: 'result', data: await generate(progress) });
  } catch (error) {
    if (!stream.signal.aborted) {
      if (!(error instanceof AppError)) log.error({ err: error }, 'a generation failed');
      await stream.send({ event: 'error', data: errorData(error) });
    }
  }
  stream.end();
}

function errorData(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof AppError)) return { error: 'INTERNAL_ERROR', message: 'Internal error' };
  const { code, message, details, retryAfterSeconds } = error;
  return {
    error: code,
    message,
    ...(details !== undefined && { details }),
    ...(retryAfterSeconds !== undefined && { retry_after_seconds: retryAfterSeconds }),
  };
}
