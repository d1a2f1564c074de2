import type { MapReader } from '../yaml/map-reader.ts';
import type { RetryPolicy } from './task.ts';

const ATTEMPTS_MAX = 100;

/** What steps that reach a connector do where the document says nothing. */
export const CONNECTOR_RETRY: RetryPolicy = {
  maxAttempts: 3,
  delayMs: 1_000,
  factor: 2,
  maxDelayMs: 60_000,
  jitter: 0.2,
};

/** One attempt: what whole tasks and steps without a connector do. */
export const NO_RETRY: RetryPolicy = { ...CONNECTOR_RETRY, maxAttempts: 1 };

/**
 * Reads `retry {max_attempts (1 to 100), delay, factor (1 to 100), max_delay, jitter (0 to 1)}`; keys that are absent are those of
 * `CONNECTOR_RETRY`. Gives `fallback` where there is no `retry`.
 */
export function readRetry<F extends RetryPolicy | null>(reader: MapReader, fallback: F): RetryPolicy | F {
  const retry = reader.submap('retry', { keys: ['max_attempts', 'delay', 'factor', 'max_delay', 'jitter'] });
  if (retry === null) return fallback;
  const maxAttempts =
    retry.integer('max_attempts', { min: 1, max: ATTEMPTS_MAX }) ?? CONNECTOR_RETRY.maxAttempts;
  if (maxAttempts === 1) {
    for (const key of ['delay', 'factor', 'max_delay', 'jitter']) {
      retry.idle(key, '"max_attempts" is 1, so nothing is tried again');
    }
  }
  const delayMs = retry.duration('delay') ?? CONNECTOR_RETRY.delayMs;
  const maxDelayMs = retry.duration('max_delay');
  if (maxDelayMs !== null && maxDelayMs < delayMs) {
    retry.wrong('max_delay', `"max_delay" must not be less than "delay" (${delayMs / 1_000}s)`);
  }
  return {
    maxAttempts,
    delayMs,
    factor: retry.number('factor', { min: 1, max: 100 }) ?? CONNECTOR_RETRY.factor,
    maxDelayMs: maxDelayMs ?? Math.max(CONNECTOR_RETRY.maxDelayMs, delayMs),
    jitter: retry.number('jitter', { min: 0, max: 1 }) ?? CONNECTOR_RETRY.jitter,
  };
}
