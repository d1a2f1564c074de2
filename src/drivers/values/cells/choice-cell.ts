import type { Holding } from '../holding.ts';
import { UnfitValue } from '../unfit-value.ts';
import type { Cell } from './cell.ts';
import { textOf } from './text-cell.ts';

/** Members by their text, letter by letter; a number is never the place of one. */
export function choiceCell({ members, several }: Extract<Holding, { kind: 'choice' }>): Cell {
  const known = new Set(members);
  return (value) => {
    const text = textOf(value);
    if (known.has(text) && !(several && text.includes(','))) return text;
    if (!several) throw new UnfitValue('it is none of the values that the column knows');
    return text === '' ? text : chosen(text.split(','));
  };

  /** In the order in which the column has them. */
  function chosen(parts: readonly string[]): string {
    const wanted = new Set(parts);
    if (wanted.size < parts.length) throw new UnfitValue('it has a member twice');
    if (!parts.every((part) => known.has(part)))
      throw new UnfitValue('it has members that the column does not know');
    return members.filter((member) => wanted.has(member)).join(',');
  }
}
