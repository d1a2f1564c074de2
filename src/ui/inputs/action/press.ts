import { ApiError, type ApiProblem } from '../../api/api-error.ts';
import type { ActionAnswer } from '../../api/widget-calls.ts';

/** A press whose fate is not known: the same input again is the same press, so that it never acts twice. */
export interface OpenPress {
  readonly key: string;
  readonly input: string;
}

/** The key of a press: that of the press before, where nobody knows whether it has acted, and the input is the same. */
export function pressKey(open: OpenPress | null, input: unknown, random: () => string): OpenPress {
  const text = JSON.stringify(input);
  return open !== null && open.input === text ? open : { key: random(), input: text };
}

/** 128 random bits; not `randomUUID`, which plain HTTP has not. */
export function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}

/** How a press ended, in words. */
export interface PressOutcome {
  readonly tone: 'success' | 'info' | 'danger';
  readonly message: string;
  readonly problems: readonly ApiProblem[];
  /** Until when the button waits, in milliseconds since 1970; null where it does not. */
  readonly waitUntil: number | null;
}

/** What a success says: the server's words, else the author's, else ours. */
export function outcomeOf(answer: ActionAnswer, successMessage: string | null): PressOutcome {
  const started = answer.outcome === 'started';
  return {
    tone: started ? 'info' : 'success',
    message: answer.message ?? successMessage ?? (started ? 'Started' : 'Done'),
    problems: [],
    waitUntil: answer.cooldown_until === null ? null : momentOrNull(answer.cooldown_until),
  };
}

export function failureOf(error: unknown, now: number): PressOutcome {
  if (!(error instanceof ApiError)) throw error;
  const unknown = error.status === 0;
  return {
    tone: 'danger',
    message: unknown
      ? 'The server cannot be reached. Nobody knows whether it has begun; trying again does not do it twice.'
      : error.message,
    problems: error.details,
    waitUntil: error.retryAfterSeconds === undefined ? null : now + error.retryAfterSeconds * 1000,
  };
}

function momentOrNull(text: string): number | null {
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : at;
}

/** Whole seconds until a moment; 0 where it has passed or there is none. */
export function secondsUntil(at: number | null, now: number): number {
  return at === null ? 0 : Math.max(0, Math.ceil((at - now) / 1000));
}
