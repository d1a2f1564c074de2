import type { Column, Row } from '../../drivers/driver.ts';
import type { Expression } from '../../language/expression/expression.ts';
import { isTrue } from '../../language/truth.ts';
import type { ItemScope, RowOp } from './row-op.ts';
import { forColumns, rowView } from './row-view.ts';

/** Keeps the rows for which the condition is true. */
export function filterOp(condition: Expression, columns: readonly Column[]): RowOp {
  const expr = forColumns(condition, columns);
  const evaluate = expr.evaluateSync;
  const view = rowView([expr], columns);
  const see = (row: Row, scope: ItemScope): void => {
    if (view !== null) scope.item = view(row);
  };
  return {
    sync:
      evaluate === null
        ? null
        : (row, scope) => {
            see(row, scope);
            return isTrue(evaluate(scope)) ? row : null;
          },
    async: async (row, scope) => {
      see(row, scope);
      return isTrue(await expr.evaluate(scope)) ? row : null;
    },
  };
}
