import { readBoolean } from '../../../base/values/number-text.ts';
import { UnfitValue } from '../unfit-value.ts';
import type { Cell } from './cell.ts';

/** True and false; 1 and 0; and as text also yes and no, in any case. */
export function booleanCell(): Cell {
  return (value) => {
    if (typeof value === 'boolean') return value;
    const text = typeof value === 'string' ? value.trim() : typeof value === 'object' ? '' : String(value);
    const read = readBoolean(text);
    if (read === null) throw new UnfitValue('it is neither true nor false');
    return read;
  };
}
