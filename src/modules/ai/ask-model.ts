import { AppError } from '../../base/errors.ts';
import { askAnthropic } from './ask-anthropic.ts';
import { askOpenai } from './ask-openai.ts';
import type { AskProvider, ModelAnswer, ModelProvider, ModelQuestion, ModelSettings } from './model.ts';
import { modelFailure, quoted } from './model-failure.ts';

const ASK: Readonly<Record<ModelProvider, AskProvider>> = { openai: askOpenai, anthropic: askAnthropic };

/** Asks the model and resolves to its whole answer. */
export type AskModel = (
  settings: ModelSettings,
  question: ModelQuestion,
) => Promise<Pick<ModelAnswer, 'text' | 'usage'>>;

/**
 * Asks by way of `fetch`, which bounds the bytes of an answer, once; the provider's library tries again where the connection or the provider failed. Rejects with
 * the signal's reason when it aborts, else with `CONNECTOR_ERROR`: no answer in time, a refusal, an answer that is empty or not
 * whole, and everything that `modelFailure` tells.
 */
export function createAskModel(fetch: typeof globalThis.fetch): AskModel {
  const guarded = providerFetch(fetch);
  return async (settings, question) => {
    const timeout = AbortSignal.timeout(settings.timeoutMs);
    const signal = AbortSignal.any([question.signal, timeout]);
    let answer: ModelAnswer;
    try {
      answer = await ASK[settings.provider](settings, { ...question, signal }, guarded);
    } catch (error) {
      requireTime(question.signal, timeout, settings);
      throw modelFailure(error, settings);
    }
    // The libraries end an aborted stream as if it were whole.
    requireTime(question.signal, timeout, settings);
    requireWhole(answer, settings);
    return answer;
  };
}

function requireTime(signal: AbortSignal, timeout: AbortSignal, { timeoutMs }: ModelSettings): void {
  signal.throwIfAborted();
  if (!timeout.aborted) return;
  const seconds = Math.round(timeoutMs / 1_000);
  throw new AppError(
    'CONNECTOR_ERROR',
    `The model did not answer within ${seconds} s (ai.timeout_seconds): try again, or ask for less`,
  );
}

function requireWhole({ text, end, refusal }: ModelAnswer, { apiKey }: ModelSettings): void {
  const problem = {
    refusal: () => `The model refuses to answer${quoted(refusal ?? '', apiKey)}`,
    length: () => 'The answer of the model was cut at its limit (ai.max_tokens): raise it, or ask for less',
    cut: () => 'The connection to the model provider ended before the answer: try again',
    complete: () => (text.trim() === '' ? 'The model returned an empty answer: try again' : null),
  }[end]();
  if (problem !== null) throw new AppError('CONNECTOR_ERROR', problem);
}

type Fetch = typeof globalThis.fetch;

/** In the form that the providers' libraries read. */
const DO_NOT_RETRY = ['x-should-retry', 'false'] as const;

/**
 * `fetch` for providers: redirects are not followed, since they would take the key along; the library does not retry when a
 * provider says "later", so that callers learn it at once. `fetch` itself bounds the size of an answer.
 */
function providerFetch(fetch: Fetch): Fetch {
  return async (input, init) => {
    const answer = await fetch(input, { ...init, redirect: 'manual' });
    if (answer.status !== 429) return answer;
    const { status, statusText, body } = answer;
    const headers = new Headers(answer.headers);
    headers.set(...DO_NOT_RETRY);
    return new Response(body, { status, statusText, headers });
  };
}
