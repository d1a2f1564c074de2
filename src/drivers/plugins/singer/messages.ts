import { isRecord } from '../../../base/json.ts';
import type { Row } from '../../driver.ts';
import { noMessage, pluginMessage } from '../plugin-message.ts';

/** A message of the Singer specification. */
export interface SingerMessage {
  readonly type: string;
  readonly body: Row;
  /** Of its JSON. */
  readonly chars: number;
}

const TYPES: readonly unknown[] = ['SCHEMA', 'RECORD', 'STATE', 'ACTIVATE_VERSION', 'BATCH'];

/** The message of a line; null for anything else. Throws `TARGET` for a message that is cut off, or a record without its body. */
export function singerMessage(line: string): SingerMessage | null {
  const body = pluginMessage(line, ({ record }) => record);
  if (body === null) return null;
  const { type, record, stream } = body;
  // Also one that lacks its type.
  const isRecordMessage = type === 'RECORD' || (type === undefined && isRecord(record));
  if (isRecordMessage && !(isRecord(record) && typeof stream === 'string' && type === 'RECORD'))
    throw noMessage(line);
  if (type === 'STATE' && !('value' in body)) throw noMessage(line);
  return TYPES.includes(type) ? { type: String(type), body, chars: line.length } : null;
}
