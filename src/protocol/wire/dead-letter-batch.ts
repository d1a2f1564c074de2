import type { DeadLetterBatch, Lease } from '../control-plane.ts';
import { toLease } from './lease.ts';
import { count, fromJson, positive, recordFromJson, toJson } from './scalars.ts';

export interface WireDeadLetterBatch {
  readonly lease: Lease | null;
  readonly first_seq: number;
  readonly items: readonly {
    readonly step_id: string;
    readonly item_json: string;
    readonly code: string;
    readonly message: string;
    /** 0 for none; absent where an executor of the release before says it in JSON. */
    readonly replay_of?: number;
    /** Empty, or absent from such an executor, where nothing is known. */
    readonly origin_json?: string;
    readonly column?: string;
    readonly value_json?: string;
    readonly task?: string;
  }[];
}

export function toDeadLetterBatch(wire: WireDeadLetterBatch): DeadLetterBatch {
  return {
    lease: toLease(wire.lease),
    first_seq: positive(wire.first_seq, 'first_seq'),
    items: wire.items.map((letter, index) => {
      const { step_id, item_json, code, message, replay_of = 0 } = letter;
      const { origin_json = '', column = '', value_json = '', task = '' } = letter;
      const path = `items[${index}]`;
      return {
        step_id,
        item: fromJson(item_json, `${path}.item_json`),
        code,
        message,
        ...(count(replay_of, `${path}.replay_of`) > 0 && { replay_of }),
        ...(origin_json !== '' && { origin: recordFromJson(origin_json, `${path}.origin_json`) }),
        ...(task !== '' && { task }),
        ...(column !== '' && { column, value: fromJson(value_json, `${path}.value_json`) }),
      };
    }),
  };
}

/**
 * The batch as wire messages of about `bytesMax` of item JSON each, with dense sequence numbers across them. One item that is
 * larger goes alone.
 */
export function splitDeadLetters(batch: DeadLetterBatch, bytesMax: number): WireDeadLetterBatch[] {
  const messages: WireDeadLetterBatch[] = [];
  let items: WireDeadLetterBatch['items'][number][] = [];
  let bytes = 0;
  let first = batch.first_seq;
  const flush = () => {
    messages.push({ lease: batch.lease, first_seq: first, items });
    first += items.length;
    items = [];
    bytes = 0;
  };
  for (const { item, origin, value, ...letter } of batch.items) {
    const item_json = toJson(item);
    const origin_json = toJson(origin);
    const value_json = letter.column === undefined ? '' : toJson(value);
    const texts = [item_json, origin_json, value_json, letter.message];
    const size = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    if (items.length > 0 && bytes + size > bytesMax) flush();
    items.push({ ...letter, item_json, origin_json, value_json });
    bytes += size;
  }
  if (items.length > 0 || messages.length === 0) flush();
  return messages;
}
