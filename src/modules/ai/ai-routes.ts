import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import { member, type Scope, scopeAllows } from '../../http/access.ts';
import { createCallerLimit } from '../../http/caller-limit.ts';
import { principalOf } from '../../http/guard.ts';
import { mediaAnswer } from '../../http/operation.ts';
import { Routes } from '../../http/routes.ts';
import { sendJsonText } from '../../http/send-json-text.ts';
import type { App } from '../../http/server.ts';
import type { EventStream } from '../../http/sse.ts';
import { eventStreamText, openEventStream } from '../../http/sse.ts';
import { actorOf } from '../audit/audit.ts';
import type { Ai } from './ai-service.ts';
import type { GeneratedDefinition, GenerationProgress } from './generate-definition.ts';
import type { GenerationRequest } from './generation-material.ts';
import {
  dashboardWish,
  generated,
  generationEvents,
  status,
  taskWish,
  templateWish,
} from './generation-schemas.ts';
import type { Written } from './prompt/compact-schema.ts';

const BODY_BYTES_MAX = 262_144;
/** Every request to the provider costs money. */
const GENERATIONS = { requestsMax: 10, message: 'Too many generated texts: try again later' } as const;
const group = { tag: 'AI', read: member('viewer', 'ai:read'), write: member('editor', 'ai:run') };

/** `saved`: the operation whose validator it has passed. */
const description = (saved: string, scopes: string) =>
  `The text has passed the validator of \`${saved}\`; it is not saved. If the model gives no valid text in 3 attempts, the answer is \`UNPROCESSABLE\`, with the problems of the last attempt in \`details\`; its YAML is only in the \`delta\` events of a stream. \`CONNECTOR_ERROR\`: the provider refuses, fails, or does not answer in time; with \`Retry-After\` where the provider says when to try again. ` +
  `With \`stream\` the answer is \`text/event-stream\`, if the request is valid: \`progress {attempt, phase}\` (generating, validating, repairing), \`delta {attempt, text}\`, \`problems {attempt, problems}\`, and at the end \`result\` (the answer as above) or \`error {error, message, details, retry_after_seconds}\`. If the client disconnects, the request to the provider is cancelled. To name connectors, an API key also needs \`connectors:read\`; ${scopes}.`;

/** What the routes that generate have in common. */
const generation = {
  answer: mediaAnswer('The text; with `stream` the events of its making', {
    'application/json': generated,
    'text/event-stream': eventStreamText('GenerationEvent', generationEvents),
  }),
  errors: ['UNPROCESSABLE', 'CONNECTOR_ERROR', 'NOT_READY'],
  bodyLimit: BODY_BYTES_MAX,
} as const;

interface Asking extends GenerationRequest {
  readonly stream: boolean;
}

export function registerAiRoutes(app: App, { ai }: { readonly ai: Ai }): void {
  const routes = new Routes(app, group);
  routes.get(
    '/api/ai/status',
    {
      id: 'getAiStatus',
      summary: 'Which model writes definitions, and whether it is configured',
      answer: status,
    },
    async () => ai.status(),
  );

  const count = createCallerLimit(app, GENERATIONS);
  const stopping = new AbortController();
  app.addHook('preClose', async () => stopping.abort());
  const answer = async (request: FastifyRequest, reply: FastifyReply, asked: Asking) => {
    requireScopes(request, asked);
    await count(request);
    const prepared = await ai.prepare(asked);
    const actor = actorOf(request);
    if (asked.stream) {
      const stream = openEventStream(request, reply, stopping.signal);
      await streamGeneration(stream, request.log, (progress) =>
        ai.generate(prepared, progress, actor, stream.signal),
      );
      return reply;
    }
    return answerWhole(reply, stopping.signal, async (signal) =>
      JSON.stringify(await ai.generate(prepared, SILENT, actor, signal)),
    );
  };
  routes.post(
    '/api/ai/generate-task',
    {
      ...generation,
      id: 'generateTask',
      summary: 'Have a model write or change a task',
      description: description('POST /api/tasks', 'to name a task, `tasks:read`'),
      body: taskWish,
    },
    (request, reply) => {
      const { task_id, ...body } = request.body;
      return answer(request, reply, asking('task', body, task_id));
    },
  );
  routes.post(
    '/api/ai/generate-job-template',
    {
      ...generation,
      id: 'generateJobTemplate',
      summary: 'Have a model write or change a job template',
      description: `The model sees the names, descriptions and connectors of the newest 200 active tasks, and the YAML of those that the prompt names. ${description(
        'POST /api/job-templates',
        'in any case `tasks:read`, and `job-templates:read` to name a template',
      )}`,
      body: templateWish,
    },
    (request, reply) => {
      const { template_id, ...body } = request.body;
      return answer(request, reply, asking('job-template', body, template_id));
    },
  );
  routes.post(
    '/api/ai/generate-dashboard-template',
    {
      ...generation,
      id: 'generateDashboardTemplate',
      summary: 'Have a model write or change a dashboard template',
      description: `The model sees the YAML of the job template. ${description(
        'POST /api/job-templates/{id}/dashboard-templates',
        'in any case `job-templates:read`, and `dashboard-templates:read` to name a dashboard template',
      )}`,
      body: dashboardWish,
      errors: [...generation.errors, 'NOT_FOUND'],
    },
    (request, reply) => {
      const { job_template_id, dashboard_template_id, ...body } = request.body;
      return answer(request, reply, asking('dashboard', body, dashboard_template_id, job_template_id));
    },
  );
}

/** Aborts with the client or the server. */
function answerWhole(
  reply: FastifyReply,
  stopping: AbortSignal,
  work: (signal: AbortSignal) => Promise<string>,
): ReturnType<typeof sendJsonText> {
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

interface Body {
  readonly prompt: string;
  readonly connector_ids?: readonly number[] | undefined;
  readonly reference_ids?: readonly number[] | undefined;
  readonly stream?: boolean | undefined;
}

function asking(kind: Written, body: Body, changedId?: number, jobTemplateId?: number): Asking {
  const { prompt, connector_ids = [], reference_ids, stream = false } = body;
  return {
    kind,
    prompt,
    connectorIds: connector_ids,
    referenceIds: reference_ids,
    changedId,
    jobTemplateId,
    stream,
  };
}

/** What else the model sees of each kind, whatever the request names. */
const ALWAYS_SEEN: Readonly<Record<Written, readonly Scope[]>> = {
  task: [],
  'job-template': ['tasks:read'],
  dashboard: ['job-templates:read'],
};
const CHANGED: Readonly<Record<Written, Scope>> = {
  task: 'tasks:read',
  'job-template': 'job-templates:read',
  dashboard: 'dashboard-templates:read',
};

/** The caller must be allowed to read everything that the model sees. */
function requireScopes(
  request: FastifyRequest,
  { kind, connectorIds, changedId, referenceIds }: Asking,
): void {
  const principal = principalOf(request);
  if (principal.type !== 'api_key') return;
  const needed: Scope[] = [
    ...ALWAYS_SEEN[kind],
    ...(connectorIds.length > 0 ? (['connectors:read'] as const) : []),
    ...(changedId === undefined ? [] : [CHANGED[kind]]),
    ...(referenceIds?.length ? (['ai-references:read'] as const) : []),
  ];
  const lacking = needed.find((scope) => !scopeAllows(principal.scopes, scope));
  if (lacking === undefined) return;
  throw new AppError('FORBIDDEN', `This needs the scope "${lacking}", which the API key does not have`);
}

/** Streams a generation and its end as events; never rejects. A client that has left gets nothing. */
async function streamGeneration(
  stream: EventStream,
  log: Pick<FastifyBaseLogger, 'error'>,
  generate: (progress: GenerationProgress) => Promise<GeneratedDefinition>,
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
