import { EventSourceParserStream } from 'eventsource-parser/stream';
import { ApiError } from '../../../../client/api-error.ts';
import type { Client } from '../../../../client/create-client.ts';
import type { components } from '../../../../client/openapi-types.ts';

export type GenerateBody = Omit<components['schemas']['GenerateTaskBody'], 'stream'>;
export type GeneratedTask = components['schemas']['GeneratedTask'];
type GenerationEvent = components['schemas']['GenerationEvent'];
export type GenerationStep = components['schemas']['GenerationEventProgress']['data'];

interface GenerateOptions {
  /** Ends the question to the provider, too. */
  readonly signal: AbortSignal;
  onStep(step: GenerationStep): void;
}

/** Has a model write a task, and says what it is at. Throws `ApiError` where it is refused, fails or breaks off. */
export async function generateTask(
  api: Client,
  body: GenerateBody,
  { signal, onStep }: GenerateOptions,
): Promise<GeneratedTask> {
  const stream: unknown = await api.POST('/api/ai/generate-task', {
    body: { ...body, stream: true },
    parseAs: 'stream',
    signal,
  });
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

const brokenOff = {
  error: 'UNREACHABLE',
  message: 'The stream broke off',
  details: [],
  request_id: null,
};
