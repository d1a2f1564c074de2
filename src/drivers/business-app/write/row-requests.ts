import { ConnectorError, type Row } from '../../driver.ts';
import type { CarriedRows } from '../../http/verdict.ts';
import type { OdataService } from '../odata-service.ts';
import { recordPath } from '../query/address.ts';
import type { Subject } from '../query/property.ts';
import type { BatchRequest } from './batch.ts';
import { entityBody } from './entity-body.ts';

/** The request that writes a row. */
export type RequestOf = (row: Row) => BatchRequest;

/** Applications that change a record only where they are told which state of it is meant, so that none is created. */
const WANT_IF_MATCH = ['business_central', 'sap'];

/** How the rows of a load become requests. */
export function requestsOf(
  service: OdataService,
  entity: string,
  mode: CarriedRows,
  key: readonly string[],
  subject: Subject | null,
): RequestOf {
  const exact = service.config.exact_numbers;
  if (mode === 'append')
    return (row) => ({ method: 'POST', url: entity, body: entityBody(row, subject, exact) });
  const isUsualKey = key.length === 1 && subject?.type.key.length === 1 && key[0] === subject.type.key[0];
  const path = (row: Row) => {
    const parts = key.map((name) => [name, keyPart(row, name)] as const);
    const [only] = parts;
    return recordPath(
      entity,
      isUsualKey && only !== undefined ? only[1] : Object.fromEntries(parts),
      subject,
    );
  };
  if (mode === 'delete') return (row) => ({ method: 'DELETE', url: path(row), headers: { 'if-match': '*' } });
  const headers = WANT_IF_MATCH.includes(service.config.application) ? { 'if-match': '*' } : {};
  return (row) => {
    const others = Object.fromEntries(Object.entries(row).filter(([name]) => !key.includes(name)));
    return { method: 'PATCH', url: path(row), headers, body: entityBody(others, subject, exact) };
  };
}

function keyPart(row: Row, name: string): string | number | boolean {
  const value = row[name];
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value === 'bigint') return String(value);
  throw new ConnectorError('DATA', `The row has no value for "${name}", which is in its key`, {
    column: name,
  });
}
