import type { DeadLetterBatch, Lease } from '../control-plane.ts';
import { toLease } from './lease.ts';
import { count, fromJson, positive, toJson } from './scalars.ts';

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
  }[];
}

export function toDeadLetterBatch(wire: WireDeadLetterBatch): DeadLetterBatch {
  return {
    lease: toLease(wire.lease),
    first_seq: positive(wire.first_seq, 'first_seq'),
    items: wire.items.map(({ step_id, item_json, code, message, replay_of = 0 }, index) => ({
      step_id,
      item: fromJson(item_json, `items[${index}].item_json`),
      code,
      message,
      ...(count(replay_of, `items[${index}].replay_of`) > 0 && { replay_of }),
    })),
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
  for (const { item, ...letter } of batch.items) {
    const item_json = toJson(item);
    const size = Buffer.byteLength(item_json) + Buffer.byteLength(letter.message);
    if (items.length > 0 && bytes + size > bytesMax) flush();
    items.push({ ...letter, item_json });
    bytes += size;
  }
  if (items.length > 0 || messages.length === 0) flush();
  return messages;
}
