import type { ColumnType, Row } from '../../drivers/driver.ts';
import type { Expression } from '../../language/expression/expression.ts';
import { copyMaker, expressionMaker, type FieldMaker } from './row-op.ts';
import { cellView } from './row-view.ts';

interface MappedSource {
  readonly target: string;
  readonly transform: Expression | null;
  readonly read: (row: Row) => unknown;
  readonly type: ColumnType;
}

/** A field of a mapping: what its transform makes of the source, or that as it is. */
export function mappedMaker({ target, transform, read, type }: MappedSource): FieldMaker {
  if (transform === null) return copyMaker(target, read);
  const see = cellView(type);
  // Nothing rather than null: functions give nothing for nothing, but refuse null.
  const sourceValue = (row: Row) => see(read(row) ?? undefined);
  const maker = expressionMaker(target, transform);
  const evaluate = maker.sync;
  return {
    name: target,
    sync:
      evaluate === null
        ? null
        : (scope, row) => {
            scope['value'] = sourceValue(row);
            return evaluate(scope, row);
          },
    async: (scope, row) => maker.async({ ...scope, value: sourceValue(row) }, row),
  };
}
