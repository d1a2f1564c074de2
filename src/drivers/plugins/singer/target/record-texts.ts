import { shownValue } from '../../../../base/text/shown-value.ts';
import { type Batch, type Column, type ColumnType, ConnectorError, type Row } from '../../../driver.ts';

const ANY = ['object', 'array', 'string', 'number', 'boolean'];

const SCHEMAS: Readonly<Record<ColumnType, { readonly type: string | readonly string[] } & Row>> = {
  string: { type: 'string' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  decimal: { type: 'number' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  time: { type: 'string', format: 'time' },
  timestamp: { type: 'string', format: 'date-time' },
  json: { type: ANY },
  binary: { type: 'string', contentEncoding: 'base64' },
  unknown: { type: ANY },
};

const NUMERIC: readonly ColumnType[] = ['integer', 'number', 'decimal'];
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The SCHEMA message of rows with these columns, as a line. */
export function schemaText(stream: string, columns: readonly Column[], key: readonly string[]): string {
  const properties = columns.map(({ name, type }) => {
    const schema = SCHEMAS[type];
    return [name, key.includes(name) ? schema : { ...schema, type: ['null', schema.type].flat() }];
  });
  const schema = { type: 'object', properties: Object.fromEntries(properties) };
  return `${JSON.stringify({ type: 'SCHEMA', stream, schema, key_properties: key })}\n`;
}

/**
 * The RECORD messages of a batch, a line each. Numbers that travel as text become numbers, with all their digits; binary becomes
 * Base64. Throws `DATA` for a text that is no number where the column has numbers.
 */
export function recordTexts(stream: string, { columns, rows }: Batch): string {
  const head = `{"type":"RECORD","stream":${JSON.stringify(stream)},"record":{`;
  const fields = columns.map((column, index) => ({
    column,
    isNumeric: NUMERIC.includes(column.type),
    key: `${index === 0 ? '' : ','}${JSON.stringify(column.name)}:`,
  }));
  let text = '';
  for (const row of rows) {
    text += head;
    for (const { column, isNumeric, key } of fields) {
      const value = row[column.name];
      text += key + (isNumeric && typeof value === 'string' ? numberText(value, column) : valueText(value));
    }
    text += '}}\n';
  }
  return text;
}

function numberText(value: string, { name, type }: Column): string {
  if (NUMBER.test(value)) return value;
  throw new ConnectorError(
    'DATA',
    `The value ${shownValue(value)} of the column "${name}" is not of type ${type}`,
    {
      column: name,
    },
  );
}

function valueText(value: unknown): string {
  if (value === undefined || value === null) return 'null';
  if (typeof value === 'bigint') return String(value);
  return JSON.stringify(value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value);
}
