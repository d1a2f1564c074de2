import type { components } from '../../../../client/openapi-types.ts';

export type LogLine = components['schemas']['LogLine'];

/** A place in a log: attempts count first. */
export interface LogPlace {
  readonly attempt: number;
  readonly seq: number;
}

/** As the API takes it in `after_seq`. */
export function placeText({ attempt, seq }: LogPlace): string {
  return `${attempt}.${seq}`;
}

/** The lines that a list shows, by their index in it. */
export interface LogRows {
  readonly count: number;
  /** Null: it was deleted, or not kept. Undefined: it is not loaded. */
  at(index: number): LogLine | null | undefined;
}
