import type { CastType } from '../../language/task/cast-type.ts';

const SHOWN_CHARACTERS_MAX = 80;

/** A value that `cast` refuses; the message shows the value, cut short. */
export class CastError extends Error {
  readonly code = 'CAST_ERROR';
  readonly value: unknown;
  column: string | null = null;

  /** `form` completes the message: how the value should be written. */
  constructor(type: CastType, value: unknown, form = '') {
    super(`${shown(value)} is not ${type === 'integer' ? 'an' : 'a'} ${type}${form}`);
    this.name = 'CastError';
    this.value = value;
  }

  /** The same, with the column named. */
  inColumn(name: string): this {
    this.column = name;
    this.message = `Column "${name}": ${this.message}`;
    return this;
  }
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  return `"${text.length > SHOWN_CHARACTERS_MAX ? `${text.slice(0, SHOWN_CHARACTERS_MAX)}…` : text}"`;
}
