import { ApiError, type ApiProblem } from '../../api/api-error.ts';
import type { ActionAnswer } from '../../api/widget-calls.ts';
import type { InputWords } from '../../texts/en/widgets/inputs.ts';

/** A press with an unknown outcome. Pressing again with the same input repeats it, so that the action never runs twice. */
export interface OpenPress {
  readonly key: string;
  readonly input: string;
}

/** The key of a press: that of the previous one if its outcome is unknown and the input is the same. */
export function pressKey(open: OpenPress | null, input: unknown, random: () => string): OpenPress {
  const text = JSON.stringify(input);
  return open !== null && open.input === text ? open : { key: random(), input: text };
}

/** 128 random bits. Not `randomUUID`, which browsers lack over plain HTTP. */
export function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}

/** The outcome of a press, in words. */
export interface PressOutcome {
  readonly tone: 'success' | 'info' | 'danger';
  readonly message: string;
  readonly problems: readonly ApiProblem[];
  /** When the button is available again, in milliseconds since 1970; null if it is now. */
  readonly waitUntil: number | null;
}

/** The outcome of a successful press. The message is the server's, otherwise the author's, otherwise a default. */
export function outcomeOf(
  answer: ActionAnswer,
  successMessage: string | null,
  words: InputWords,
): PressOutcome {
  const started = answer.outcome === 'started';
  return {
    tone: started ? 'info' : 'success',
    message: answer.message ?? successMessage ?? (started ? words.action.started : words.action.done),
    problems: [],
    waitUntil: answer.cooldown_until === null ? null : momentOrNull(answer.cooldown_until),
  };
}

export function failureOf(error: unknown, now: number, words: InputWords): PressOutcome {
  if (!(error instanceof ApiError)) throw error;
  const unknown = error.status === 0;
  return {
    tone: 'danger',
    message: unknown ? words.action.unknown : error.message,
    problems: error.details,
    waitUntil: error.retryAfterSeconds === undefined ? null : now + error.retryAfterSeconds * 1000,
  };
}

function momentOrNull(text: string): number | null {
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : at;
}

/** Whole seconds until a moment; 0 if it has passed or is null. */
export function secondsUntil(at: number | null, now: number): number {
  return at === null ? 0 : Math.max(0, Math.ceil((at - now) / 1000));
}
