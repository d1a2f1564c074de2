import { z } from 'zod';
import { AI_PROVIDERS } from '../../config.ts';
import { errorSchema, problemSchema } from '../../http/operation.ts';

const PROMPT_CHARS_MAX = 20_000;
const CONNECTORS_MAX = 10;
const REFERENCES_MAX = 50;

export const status = z
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

/** What every request may name. */
const wished = {
  prompt: z.string().trim().min(1).max(PROMPT_CHARS_MAX).describe('What it should do'),
  connector_ids: distinctIds(CONNECTORS_MAX)
    .optional()
    .describe(
      'The model sees their names, types, and the names of their resources, never their configuration',
    ),
  reference_ids: distinctIds(REFERENCES_MAX)
    .optional()
    .describe('Default: the enabled references in name order, up to 60,000 characters'),
  stream: z.boolean().optional().describe('Answer with server-sent events'),
};
export const taskWish = z
  .strictObject({ ...wished, task_id: id.optional().describe('The task to change') })
  .meta({ examples: [{ prompt: 'Copy open orders of the shop into the warehouse', connector_ids: [3, 4] }] });
export const templateWish = z
  .strictObject({ ...wished, template_id: id.optional().describe('The job template to change') })
  .meta({ examples: [{ prompt: 'Run sync_customers, then sync_orders' }] });
export const dashboardWish = z
  .strictObject({
    ...wished,
    job_template_id: id.describe('The job template that it belongs to'),
    dashboard_template_id: id.optional().describe('The dashboard template to change'),
  })
  .meta({
    examples: [{ prompt: 'Revenue a day and the newest orders', job_template_id: 2, connector_ids: [4] }],
  });

export const generated = z
  .object({
    yaml_content: z.string(),
    valid: z.literal(true),
    problems: z.array(problemSchema).describe('Always empty: a text with problems is not returned'),
    references_used: z.array(z.object({ id: z.number().int(), name: z.string(), version: z.number().int() })),
    attempts: z.number().int().describe('The number of requests to the model, at most 3'),
    usage: z.object({ input_tokens: z.number().int(), output_tokens: z.number().int() }),
  })
  .meta({
    id: 'GeneratedDefinition',
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
export const generationEvents = {
  progress: z.object({ attempt, phase: z.enum(['generating', 'validating', 'repairing']) }),
  delta: z.object({ attempt, text: z.string().describe('The next part of what the model writes') }),
  problems: z.object({ attempt, problems: z.array(problemSchema) }).describe('What the validator found'),
  result: generated,
  error: errorSchema
    .omit({ request_id: true })
    .extend({ retry_after_seconds: z.number().optional() })
    .describe('It failed; the last event'),
};
