import { EventSourceParserStream } from 'eventsource-parser/stream';
import { ApiError } from '../../../../client/api-error.ts';
import type { Client } from '../../../../client/create-client.ts';
import type { components } from '../../../../client/openapi-types.ts';

export type GeneratedText = components['schemas']['GeneratedDefinition'];
type GenerationEvent = components['schemas']['GenerationEvent'];
/** What is written; `id`: the saved one that is changed, null for a new one. */
export type Generated =
  | { readonly kind: 'task'; readonly id: number | null }
  | { readonly kind: 'job-template'; readonly id: number | null }
  | { readonly kind: 'dashboard'; readonly id: number | null; readonly jobTemplateId: number };

interface Wish {
  readonly prompt: string;
  readonly connector_ids: number[];
}

export type GenerationStep = components['schemas']['GenerationEventProgress']['data'];

interface GenerateOptions {
  /** Ends the question to the provider, too. */
  readonly signal: AbortSignal;
  onStep(step: GenerationStep): void;
}

/** Has a model write a text, and says what it is at. Throws `ApiError` where it is refused, fails or breaks off. */
export async function generateText(
  api: Client,
  what: Generated,
  wish: Wish,
  { signal, onStep }: GenerateOptions,
): Promise<GeneratedText> {
  const stream: unknown = await ask(api, what, wish, signal);
  const events = (stream as ReadableStream<Uint8Array<ArrayBuffer>>)
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  const reader = events.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) throw new ApiError(0, brokenOff);
    const event = { event: value.event, data: JSON.parse(value.data) } as GenerationEvent;
    if (event.event === 'progress') onStep(event.data);
    if (event.event === 'result') return event.data;
    if (event.event === 'error') {
      const { error, message, details = [] } = event.data;
      throw new ApiError(502, { error, message, details, request_id: null });
    }
  }
}

function ask(api: Client, what: Generated, wish: Wish, signal: AbortSignal): Promise<unknown> {
  const body = { ...wish, stream: true };
  const streamed = { parseAs: 'stream', signal } as const;
  const { id } = what;
  if (what.kind === 'task')
    return api.POST('/api/ai/generate-task', {
      body: { ...body, ...(id !== null && { task_id: id }) },
      ...streamed,
    });
  if (what.kind === 'job-template')
    return api.POST('/api/ai/generate-job-template', {
      body: { ...body, ...(id !== null && { template_id: id }) },
      ...streamed,
    });
  const job_template_id = what.jobTemplateId;
  return api.POST('/api/ai/generate-dashboard-template', {
    body: { ...body, job_template_id, ...(id !== null && { dashboard_template_id: id }) },
    ...streamed,
  });
}

const brokenOff = {
  error: 'UNREACHABLE',
  message: 'The stream broke off',
  details: [],
  request_id: null,
};
