import { AppError, messageOf } from '../../base/errors.ts';
import { outboundErrorIn } from '../../base/outbound/outbound-error.ts';
import { createRedactor } from '../../base/text/redactor.ts';
import type { ModelSettings } from './model.ts';

/** Characters quoted from the provider. */
const WORDS_CHARS_MAX = 300;
const RETRY_AFTER_SECONDS_MAX = 3_600;

/** The shape of errors of both libraries. */
interface ProviderError {
  readonly status?: number | undefined;
  readonly headers?: Headers | undefined;
  readonly cause?: unknown;
}

/**
 * A failed request as one `CONNECTOR_ERROR` for its caller: the provider's own words are cut and hold no key. The error itself
 * is not kept as the cause: it holds the request.
 */
export function modelFailure(thrown: unknown, settings: ModelSettings): AppError {
  const own = ownError(thrown);
  if (own !== null) return own;
  const refused = outboundErrorIn(thrown);
  if (refused?.code === 'OUTBOUND_TOO_LARGE')
    return failure(`The model provider sends too much: ${refused.message}`);
  if (refused !== null)
    return failure(`The model provider cannot be called (ai.base_url): ${refused.message}`);
  const { status, headers } = (thrown ?? {}) as ProviderError;
  const words = wordsOf(thrown, settings);
  if (typeof status === 'number') return failureOfStatus(status, words, headers);
  if (thrown instanceof SyntaxError) return failure('The answer of the provider is not that of a model');
  if (isConnectionError(thrown)) return failure('The model provider cannot be reached (ai.base_url)');
  return failure(`The model provider failed${words}`);
}

function failureOfStatus(status: number, words: string, headers: Headers | undefined): AppError {
  if (status >= 300 && status < 400)
    return failure('The model provider redirects elsewhere: set ai.base_url to the address itself');
  if (status === 401 || status === 403)
    return failure(`The model provider refuses the key (ai.api_key)${words}`);
  if (status === 404)
    return failure(
      `The model provider does not know the address or the model (ai.base_url, ai.model)${words}`,
    );
  if (status === 429) {
    const seconds = retryAfterOf(headers?.get('retry-after') ?? null);
    const later = seconds === null ? 'try again later' : `try again in ${seconds} s`;
    return new AppError('CONNECTOR_ERROR', `The model provider limits requests: ${later}${words}`, {
      ...(seconds !== null && { retryAfterSeconds: seconds }),
    });
  }
  if (status >= 500) return failure(`The model provider failed with status ${status}${words}`);
  return failure(`The model provider refuses the request with status ${status}${words}`);
}

/** The server's own, thrown below the library, which may have wrapped it. */
function ownError(thrown: unknown): AppError | null {
  for (let error = thrown, depth = 0; error instanceof Error && depth < 5; error = error.cause, depth += 1)
    if (error instanceof AppError) return error;
  return null;
}

function isConnectionError(thrown: unknown): boolean {
  const name = thrown instanceof Error ? thrown.constructor.name : '';
  return /^APIConnection/.test(name) || thrown instanceof TypeError;
}

/** `: "…"`, or nothing. */
function wordsOf(thrown: unknown, { apiKey }: ModelSettings): string {
  return quoted(messageOf(thrown), apiKey);
}

/** What a provider says, on one line, cut, without the key: `: "…"`, or nothing. */
export function quoted(text: string, apiKey: string): string {
  const line = createRedactor([apiKey])
    .text(text)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  if (line === '') return '';
  const short = line.length > WORDS_CHARS_MAX ? `${line.slice(0, WORDS_CHARS_MAX).toWellFormed()}…` : line;
  return `: "${short}"`;
}

/** Seconds, or a date; null if it is neither. Source: RFC 9110, section 10.2.3. */
function retryAfterOf(header: string | null): number | null {
  if (header === null) return null;
  const seconds = /^\d{1,9}$/.test(header.trim())
    ? Number(header)
    : Math.ceil((Date.parse(header) - Date.now()) / 1_000);
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 1), RETRY_AFTER_SECONDS_MAX) : null;
}

function failure(message: string): AppError {
  return new AppError('CONNECTOR_ERROR', message);
}
