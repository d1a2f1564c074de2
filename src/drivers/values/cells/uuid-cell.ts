import { UnfitValue } from '../unfit-value.ts';
import type { Cell } from './cell.ts';

const CANONICAL = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const SPELLED = /^([0-9a-f]{8})(-?)([0-9a-f]{4})\2([0-9a-f]{4})\2([0-9a-f]{4})\2([0-9a-f]{12})$/i;

/** UUIDs in small letters with their hyphens; also read in capitals, in braces and without hyphens. */
export function uuidCell(): Cell {
  return (value) => {
    if (typeof value !== 'string') throw new UnfitValue('it is no UUID');
    if (CANONICAL.test(value)) return value;
    const match = SPELLED.exec(value.trim().replace(/^\{(.*)\}$/, '$1'));
    if (match === null) throw new UnfitValue('it is no UUID');
    const [, first, , ...others] = match;
    return [first, ...others].join('-').toLowerCase();
  };
}
