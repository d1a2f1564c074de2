import { isRecord } from '../../../base/json.ts';
import { ConnectorError, type Row } from '../../driver.ts';

/** A record without what the service says beside its values. */
export function withoutAnnotations(record: unknown): Row {
  if (!isRecord(record)) throw new ConnectorError('DATA', 'The service returned no record');
  return Object.fromEntries(Object.entries(record).filter(([name]) => !name.includes('@')));
}

/** What an operation answers, without its context. */
export function resultOf(document: unknown): unknown {
  if (!isRecord(document)) return document;
  return Object.hasOwn(document, 'value') ? document['value'] : withoutAnnotations(document);
}
