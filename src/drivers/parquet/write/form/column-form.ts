import type { SchemaElement } from 'hyparquet';
import type { Column } from '../../../driver.ts';
import { type ExactCellOptions, exactCell } from '../../../values/exact-cell.ts';
import { decimalForm } from './decimal-form.ts';
import type { ColumnForm, FormOf } from './form.ts';
import { putBooleans, putBytes, putIntegers, putNumbers, putTexts } from './put-values.ts';
import { dateForm, timeForm, timestampForm } from './time-form.ts';

const INT64 = 2n ** 63n;
const ENDLESS = Number.POSITIVE_INFINITY;

/** `first`: a value of the column that is not null, where there is one. */
export function columnForm(column: Column, first: unknown, options: ExactCellOptions): ColumnForm {
  const base: SchemaElement = { name: column.name, repetition_type: 'OPTIONAL' };
  const cellOf: FormOf['cellOf'] = (holding) => exactCell(column, holding, options) ?? ((value) => value);
  return formOf({ column, base, first, cellOf });
}

function formOf(form: FormOf): ColumnForm {
  switch (form.column.type) {
    case 'integer':
      return integerForm(form);
    case 'number':
      return numberForm(form);
    case 'boolean':
      return booleanForm(form);
    case 'decimal':
      return decimalForm(form) ?? textForm(form);
    case 'date':
      return dateForm(form);
    case 'timestamp':
      return timestampForm(form);
    case 'time':
      return timeForm(form) ?? textForm(form);
    case 'json':
      return jsonForm(form);
    case 'binary':
      return bytesForm(form);
    default:
      return textForm(form);
  }
}

function integerForm({ column, base, cellOf }: FormOf): ColumnForm {
  const { bits, unsigned = false } = column.declared ?? {};
  const isUnsigned = bits === 64 && unsigned;
  const [min, max] = isUnsigned ? [0n, 2n * INT64 - 1n] : [-INT64, INT64 - 1n];
  const cell = cellOf({ kind: 'integer', min, max });
  const put = putIntegers(
    (value) => BigInt(cell(value) as number | string),
    isUnsigned ? 0 : Number.MIN_SAFE_INTEGER,
  );
  return isUnsigned
    ? { element: { ...base, type: 'INT64', converted_type: 'UINT_64' }, order: 'unsigned', width: 8, put }
    : { element: { ...base, type: 'INT64' }, order: 'long', width: 8, put };
}

function numberForm({ base, cellOf }: FormOf): ColumnForm {
  const cell = cellOf({ kind: 'number', bits: 53, specials: true });
  const put = putNumbers((value) => cell(value) as number);
  return { element: { ...base, type: 'DOUBLE' }, order: 'double', width: 8, put };
}

function booleanForm({ base, cellOf }: FormOf): ColumnForm {
  const cell = cellOf({ kind: 'boolean' });
  const put = putBooleans((value) => (typeof value === 'boolean' ? value : (cell(value) as boolean)));
  return { element: { ...base, type: 'BOOLEAN' }, order: 'boolean', width: 1, put };
}

function textForm({ base, cellOf }: FormOf): ColumnForm {
  const cell = cellOf({
    kind: 'text',
    chars: ENDLESS,
    bytes: ENDLESS,
    padded: false,
    nul: true,
    planes: true,
  });
  const put = putTexts((value) => String(cell(value)));
  return { element: { ...base, type: 'BYTE_ARRAY', converted_type: 'UTF8' }, order: 'bytes', width: 0, put };
}

function jsonForm({ base, cellOf }: FormOf): ColumnForm {
  const cell = cellOf({ kind: 'json' });
  const put = putBytes((value) => Buffer.from(String(cell(value))));
  return { element: { ...base, type: 'BYTE_ARRAY', converted_type: 'JSON' }, order: 'bytes', width: 0, put };
}

function bytesForm({ base, cellOf }: FormOf): ColumnForm {
  const cell = cellOf({ kind: 'bytes', max: ENDLESS, fixed: false });
  const put = putBytes((value) =>
    value instanceof Uint8Array ? value : Buffer.from(String(cell(value)), 'base64'),
  );
  return { element: { ...base, type: 'BYTE_ARRAY' }, order: 'bytes', width: 0, put };
}
