import { isRecord } from '../../../base/json.ts';
import type { Row } from '../../driver.ts';
import { parseJson } from '../../json/parse-json.ts';

/** A message of the Singer specification. */
export interface SingerMessage {
  readonly type: string;
  readonly body: Row;
  /** Its JSON. */
  readonly line: string;
}

const TYPES: readonly unknown[] = ['SCHEMA', 'RECORD', 'STATE', 'ACTIVATE_VERSION', 'BATCH'];

/** The message of a line; null for anything else. */
export function singerMessage(line: string): SingerMessage | null {
  if (!line.trimStart().startsWith('{')) return null;
  let body: unknown;
  try {
    body = parseJson(line);
  } catch {
    return null;
  }
  if (!isRecord(body) || !TYPES.includes(body['type'])) return null;
  return { type: String(body['type']), body, line };
}
