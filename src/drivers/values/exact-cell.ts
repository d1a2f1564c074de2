import { shownValue } from '../../base/text/shown-value.ts';
import { type Column, ConnectorError } from '../driver.ts';
import { arrayCell } from './cells/array-cell.ts';
import { bitsCell } from './cells/bits-cell.ts';
import { booleanCell } from './cells/boolean-cell.ts';
import { bytesCell } from './cells/bytes-cell.ts';
import type { Cell, CellContext } from './cells/cell.ts';
import { choiceCell } from './cells/choice-cell.ts';
import { dateCell } from './cells/clock/date-cell.ts';
import { timeCell } from './cells/clock/time-cell.ts';
import { timestampCell } from './cells/clock/timestamp-cell.ts';
import { decimalCell } from './cells/decimal-cell.ts';
import { integerCell } from './cells/integer-cell.ts';
import { jsonCell } from './cells/json-cell.ts';
import { numberCell } from './cells/number-cell.ts';
import { textCell } from './cells/text-cell.ts';
import { uuidCell } from './cells/uuid-cell.ts';
import { declaredFits } from './declared-fits.ts';
import type { Holding, Lossy } from './holding.ts';
import { UnfitValue } from './unfit-value.ts';

export interface ExactCellOptions {
  /** Table, collection or file, as the user wrote it. */
  readonly object: string;
  /** The type of the target's column as its engine declares it. Default: what kind of values it holds. */
  readonly type?: string | undefined;
  /** What a value may lose. `round`: digits of numbers and seconds, half away from zero; `truncate`: also text, bytes and times of day. */
  readonly lossy?: Lossy | undefined;
  /** Told of each value that has lost something. */
  readonly onLossy?: (() => void) | undefined;
}

/** Types whose values are texts with a meaning; elements of their arrays keep it. */
const BYTES_TYPE = /^(?:bytea|(?:var)?binary|\w*blob)\b/i;

/**
 * The function that turns a value of a column of the rows into what the target's column holds exactly, in canonical form: whole numbers as
 * numbers, or as digits beyond 2^53; decimals as plain digits; times as RFC 3339; bytes as base64; JSON as its text; lists as lists of
 * these. Text that reads as the column's type counts as that type, by the rules of `cast`; but empty text is not null, it is refused.
 * Absent and null pass. For any other value it throws `DATA`, which names object, column, its type and the value. null where nothing
 * needs to be looked at: the values that the source declares always fit, or the engine is exact itself.
 */
export function exactCell(
  column: Column,
  holding: Holding,
  { object, type = describe(holding), lossy, onLossy = () => undefined }: ExactCellOptions,
): ((value: unknown) => unknown) | null {
  if (declaredFits(column, holding)) return null;
  const native = column.native_type ?? column.declared?.sql ?? '';
  const cell = cellOf(holding, { from: column.type, native, lossy: lossy ?? null, lost: onLossy });
  if (cell === null) return null;
  return (value) => {
    if (value === null || value === undefined) return value;
    try {
      return cell(value);
    } catch (error) {
      if (!(error instanceof UnfitValue)) throw error;
      const message = `${shownValue(value)} does not fit the column "${column.name}" (${type}) of "${object}": ${error.message}`;
      throw new ConnectorError('DATA', message, { column: column.name });
    }
  };
}

function cellOf(holding: Holding, context: CellContext): Cell | null {
  if (holding.kind === 'any' || holding.kind === 'checked') return null;
  // Their base64 would pass for text, and some of it for numbers.
  if (context.from === 'binary' && holding.kind !== 'bytes') return noBytes;
  switch (holding.kind) {
    case 'integer':
      return integerCell(holding, context);
    case 'decimal':
      return decimalCell(holding, context);
    case 'number':
      return numberCell(holding, context);
    case 'boolean':
      return booleanCell();
    case 'text':
      return textCell(holding, context);
    case 'choice':
      return choiceCell(holding);
    case 'bytes':
      return bytesCell(holding, context);
    case 'bits':
      return bitsCell(holding, context);
    case 'date':
      return dateCell(holding, context);
    case 'time':
      return timeCell(holding, context);
    case 'timestamp':
      return timestampCell(holding, context);
    case 'uuid':
      return uuidCell();
    case 'json':
      return jsonCell(context);
    case 'array':
      return arrayOf(holding.of, context);
    default:
      return holding satisfies never;
  }
}

function noBytes(): never {
  throw new UnfitValue('the column holds no bytes');
}

/** Elements come out of JSON, but for the bytes of an array of bytes. */
function arrayOf(of: Holding, context: CellContext): Cell {
  const native = context.native.replace(/(?:\[\d*\])+$/, '');
  const isBytes = native !== context.native && BYTES_TYPE.test(native);
  const from = of.kind === 'json' ? 'json' : isBytes ? 'binary' : 'unknown';
  return arrayCell(cellOf(of, { ...context, from, native }), of.kind === 'json');
}

function describe(holding: Holding): string {
  return holding.kind === 'array' ? `array of ${describe(holding.of)}` : holding.kind;
}
