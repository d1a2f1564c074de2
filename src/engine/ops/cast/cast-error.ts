import type { CastType } from '../../../language/task/cast/cast-type.ts';
import { RowError } from '../row-error.ts';

const SHOWN_CHARACTERS_MAX = 80;

/** A value that `cast` refuses; the message shows the value, cut short. */
export class CastError extends RowError {
  /** `form` completes the message: how the value should be written. */
  constructor(type: CastType, value: unknown, form = '') {
    super(
      'CAST_ERROR',
      `${shown(value)} is not ${type === 'integer' ? 'an' : 'a'} ${type}${form}`,
      null,
      value,
    );
    this.name = 'CastError';
  }

  /** The same, with the column named. */
  inColumn(name: string): this {
    this.column = name;
    this.message = `Column "${name}": ${this.message}`;
    return this;
  }
}

/** As text in quotes, cut short. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  return `"${text.length > SHOWN_CHARACTERS_MAX ? `${text.slice(0, SHOWN_CHARACTERS_MAX)}…` : text}"`;
}
