import { parseJson } from '../../json/parse-json.ts';
import { UnfitValue } from '../unfit-value.ts';
import type { Cell } from './cell.ts';

/** Lists, also as JSON text, element by element; a list inside is a further dimension, unless elements are JSON. */
export function arrayCell(element: Cell | null, isOfJson: boolean): Cell {
  const each = (value: unknown): unknown => {
    if (value === null || value === undefined) return null;
    if (Array.isArray(value) && !isOfJson) return value.map(each);
    return element === null ? value : element(value);
  };
  return (value) => {
    const list = typeof value === 'string' ? listOf(value) : value;
    if (!Array.isArray(list)) throw new UnfitValue('it is no list');
    return list.map(each);
  };
}

function listOf(text: string): unknown {
  try {
    return text.trimStart().startsWith('[') ? parseJson(text) : null;
  } catch {
    return null;
  }
}
