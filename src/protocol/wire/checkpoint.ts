import type { Checkpoint, Fenced, Lease, SaveCheckpoint } from '../control-plane.ts';
import { toLease, toOutcome } from './lease.ts';
import { count, fromJson, text, toJson } from './scalars.ts';

export interface WireCheckpoint {
  readonly outcome: string;
  readonly value_json: string;
  readonly version: number;
}

export interface WireSaveCheckpoint {
  readonly lease: Lease | null;
  readonly name: string;
  readonly value_json: string;
  readonly expected_version: number;
}

export interface WireSaveCheckpointReply {
  readonly outcome: string;
  readonly version: number;
  readonly stored: boolean;
}

type Saved = Fenced<{ readonly version: number; readonly stored: boolean }>;

export function toCheckpoint(wire: WireCheckpoint): Fenced<Checkpoint> {
  const outcome = toOutcome(wire.outcome);
  if (outcome !== 'ACCEPTED') return { outcome };
  return { outcome, value: { value: fromJson(wire.value_json, 'value_json'), version: wire.version } };
}

export function fromCheckpoint(fenced: Fenced<Checkpoint>): object {
  if (fenced.outcome !== 'ACCEPTED') return { outcome: fenced.outcome };
  return {
    outcome: fenced.outcome,
    value_json: toJson(fenced.value.value),
    version: fenced.value.version,
  };
}

export function toSaveCheckpoint(wire: WireSaveCheckpoint): SaveCheckpoint {
  return {
    lease: toLease(wire.lease),
    name: text(wire.name, 'name'),
    value: fromJson(wire.value_json, 'value_json'),
    expected_version: count(wire.expected_version, 'expected_version'),
  };
}

export function fromSaveCheckpoint(request: SaveCheckpoint): object {
  const { value, ...rest } = request;
  return { ...rest, value_json: toJson(value) };
}

export function toSaved(wire: WireSaveCheckpointReply): Saved {
  const outcome = toOutcome(wire.outcome);
  if (outcome !== 'ACCEPTED') return { outcome };
  return { outcome, value: { version: wire.version, stored: wire.stored } };
}

export function fromSaved(saved: Saved): object {
  return saved.outcome === 'ACCEPTED' ? { outcome: saved.outcome, ...saved.value } : saved;
}
