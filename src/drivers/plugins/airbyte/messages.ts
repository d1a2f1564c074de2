import { isRecord } from '../../../base/json.ts';
import { ConnectorError, type ConnectorFault, type Row } from '../../driver.ts';
import { noMessage, pluginMessage } from '../plugin-message.ts';

const MESSAGE_CHARS_MAX = 2_000;

/** A message of the Airbyte protocol: what its `type` names stands under the key of that name. */
export interface AirbyteMessage {
  readonly type: string;
  readonly body: Row;
}

const KEYS: Readonly<Record<string, string>> = {
  SPEC: 'spec',
  CONNECTION_STATUS: 'connectionStatus',
  CATALOG: 'catalog',
  RECORD: 'record',
  STATE: 'state',
  LOG: 'log',
  TRACE: 'trace',
  CONTROL: 'control',
};

/**
 * The message of a line; null for anything else, which sources print as well. Throws `TARGET` for a message that is cut off, or that lacks
 * what its type names.
 */
export function airbyteMessage(line: string): AirbyteMessage | null {
  const message = pluginMessage(line, ({ record }) => (isRecord(record) ? record['data'] : record));
  if (message === null) return null;
  const { type, record } = message;
  if (type === undefined && isRecord(record)) throw noMessage(line);
  const key = typeof type === 'string' ? KEYS[type] : undefined;
  if (typeof type !== 'string' || key === undefined) return null;
  const body = message[key];
  if (!isRecord(body) || (type === 'RECORD' && !isRecord(body['data']))) throw noMessage(line);
  return { type, body };
}

/** What retries make of it: a configuration that is wrong stays so. */
const FAULTS: Readonly<Record<string, ConnectorFault>> = {
  config_error: 'CONFIG',
  transient_error: 'UNAVAILABLE',
  system_error: 'TARGET',
};

/** The error that a TRACE tells; null for any other TRACE. */
export function tracedError(trace: Row): ConnectorError | null {
  const error = trace['error'];
  if (trace['type'] !== 'ERROR' || !isRecord(error)) return null;
  const fault = FAULTS[String(error['failure_type'])] ?? 'TARGET';
  return new ConnectorError(fault, `The source says: ${wordsOf(error)}`);
}

/** The message for people may say no more than that something went wrong: what went wrong is in the internal one. */
function wordsOf({ message, internal_message: internal }: Row): string {
  const told = String(message).slice(0, MESSAGE_CHARS_MAX);
  if (typeof internal !== 'string' || internal.trim() === '' || told.includes(internal)) return told;
  return `${told} (${internal.slice(0, MESSAGE_CHARS_MAX)})`;
}

/** Where in its code the source failed; null for any other TRACE. */
export function tracedStack({ error }: Row): string | null {
  const stack = isRecord(error) ? error['stack_trace'] : null;
  return typeof stack === 'string' && stack !== '' ? stack : null;
}
