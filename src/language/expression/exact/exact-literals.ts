import { exactNumber } from '../../../base/values/exact-number.ts';
import { nodesOf, type SyntaxNode } from '../syntax-tree.ts';
import { heldByDouble } from './plain-number.ts';

const NUMERAL_AT_END = /\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
/** A double gives so many digits back as they were. */
const DOUBLE_DIGITS = 15;

/**
 * Puts exact numbers where the source has numbers with more digits than a double holds: `9007199254740993` is not 9007199254740992.
 * True where there is one.
 */
export function takeLiterals(root: SyntaxNode, source: string): boolean {
  if (!/\d[\d.]{14}/.test(source)) return false;
  let found = false;
  for (const node of nodesOf(root).nodes) {
    if (node.type !== 'number') continue;
    const text = NUMERAL_AT_END.exec(source.slice(0, node.position))?.[0] ?? '';
    // A minus before it is part of the number, and not of its text.
    if (text.length <= DOUBLE_DIGITS || Number(text) !== Math.abs(Number(node.value))) continue;
    const sign = Number(node.value) < 0 ? '-' : '';
    const exact = exactNumber(sign + text, /^\d+$/.test(text) ? 'integer' : 'decimal');
    if (exact === null || heldByDouble(exact) !== null) continue;
    Object.assign(node, { type: 'value', value: exact });
    found = true;
  }
  return found;
}
