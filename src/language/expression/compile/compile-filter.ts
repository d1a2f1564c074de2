import { withoutExact } from '../exact/plain-number.ts';
import type { SyntaxStage } from '../syntax-tree.ts';
import { type Compiler, type Evaluator, giveUp } from './compiler.ts';
import { isNumeric, toBoolean } from './values.ts';

/**
 * One predicate `[…]`. `sequence` is false where the answer is an array of the data itself, which is then not unwrapped.
 */
export type Filter = (input: unknown, root: unknown) => { values: unknown[]; sequence: boolean };

export function compileFilter(stage: SyntaxStage, compiler: Compiler): Filter {
  const { expr } = stage;
  if (stage.type !== 'filter' || expr === undefined) return giveUp('stage');
  if (expr.type === 'number' && expr.predicate === undefined)
    return indexFilter(Math.floor(Number(expr.value)));
  return conditionFilter(compiler.compile(expr), compiler);
}

function indexFilter(index: number): Filter {
  return (input) => {
    const list = Array.isArray(input) ? input : [input];
    const item: unknown = list[index < 0 ? list.length + index : index];
    if (item === undefined) return { values: [], sequence: true };
    return Array.isArray(item) ? { values: item, sequence: false } : { values: [item], sequence: true };
  };
}

function conditionFilter(condition: Evaluator, { meter }: Compiler): Filter {
  return (input, root) => {
    const list: readonly unknown[] = Array.isArray(input) ? input : [input];
    const values: unknown[] = [];
    for (let index = 0; index < list.length; index += 1) {
      meter.step();
      const item = list[index];
      const answer = condition(item, root);
      if (answer === true) {
        values.push(item);
      } else if (answer !== false && answer !== undefined) {
        for (let left = timesSelected(answer, index, list.length); left > 0; left -= 1) values.push(item);
      }
    }
    meter.sequence(values.length);
    return { values, sequence: true };
  };
}

/** A number, or an array of numbers, selects by position, and as often as it names it; anything else by its boolean. */
function timesSelected(given: unknown, index: number, length: number): number {
  const answer = withoutExact(given);
  const positions = isNumeric(answer) ? [answer] : answer;
  if (Array.isArray(positions) && positions.filter((position) => !isNumeric(position)).length === 0) {
    return positions.filter((position: number) => {
      const floor = Math.floor(position);
      return (floor < 0 ? length + floor : floor) === index;
    }).length;
  }
  return toBoolean(answer) === true ? 1 : 0;
}
