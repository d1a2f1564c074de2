import type { Fenced, ReplayRows } from '../control-plane.ts';
import { toOutcome } from './lease.ts';
import { fromJson, toJson } from './scalars.ts';

export interface WireReplayRows {
  readonly outcome: string;
  readonly rows: readonly { readonly letter_id: number; readonly item_json: string }[];
}

export function toReplayRows(wire: WireReplayRows): Fenced<ReplayRows> {
  const outcome = toOutcome(wire.outcome);
  if (outcome !== 'ACCEPTED') return { outcome };
  const rows = wire.rows.map(({ letter_id, item_json }, index) => ({
    letter_id,
    item: fromJson(item_json, `rows[${index}].item_json`),
  }));
  return { outcome, value: { rows } };
}

export function fromReplayRows(fenced: Fenced<ReplayRows>): object {
  if (fenced.outcome !== 'ACCEPTED') return { outcome: fenced.outcome };
  const rows = fenced.value.rows.map(({ letter_id, item }) => ({ letter_id, item_json: toJson(item) }));
  return { outcome: fenced.outcome, rows };
}
