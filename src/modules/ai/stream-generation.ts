import type { FastifyBaseLogger } from 'fastify';
import { AppError } from '../../base/errors.ts';
import type { EventStream } from '../../http/sse.ts';
import type { GeneratedTask, GenerationProgress } from './generate-task.ts';

/** Tells a generation as events, and its end; never rejects. A client that has gone is told nothing. */
export async function streamGeneration(
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
