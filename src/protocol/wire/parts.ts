import type { EndedPart, PartsAnswer, PartsOffer } from '../../base/run-parts.ts';
import type { Fenced, Lease, PartsRequest } from '../control-plane.ts';
import { toLease, toOutcome } from './lease.ts';
import { count, fromJson, text, toJson } from './scalars.ts';
import { fromStep, toStep, type WireStep } from './step-result.ts';

type WireEndedPart = Omit<EndedPart, 'steps'> & { readonly steps: readonly WireStep[] };

export interface WirePartsRequest {
  readonly lease: Lease | null;
  readonly step_id: string;
  readonly holding: readonly number[];
  readonly offer: (Omit<PartsOffer, 'order'> & { readonly order_json: string }) | null;
  readonly ended: WireEndedPart | null;
  readonly wants: boolean;
}

export interface WirePartsReply {
  readonly outcome: string;
  /** 0 for none. */
  readonly number: number;
  readonly take: number;
  readonly left: number;
  readonly is_closed: boolean;
  readonly others: readonly WireEndedPart[];
}

function toEnded({ steps, ...part }: WireEndedPart): EndedPart {
  return {
    number: count(part.number, 'number'),
    take: count(part.take, 'take'),
    rows: count(part.rows, 'rows'),
    error: text(part.error, 'error'),
    steps: steps.map(toStep),
  };
}

function fromEnded({ steps, ...part }: EndedPart): object {
  return { ...part, steps: steps.map(fromStep) };
}

export function toPartsRequest({ lease, offer, ended, ...rest }: WirePartsRequest): PartsRequest {
  return {
    ...rest,
    lease: toLease(lease),
    step_id: text(rest.step_id, 'step_id'),
    offer: offer && {
      digest: offer.digest,
      labels: offer.labels,
      helpers: count(offer.helpers, 'helpers'),
      order: fromJson(offer.order_json, 'order_json'),
    },
    ended: ended && toEnded(ended),
  };
}

export function fromPartsRequest({ offer, ended, ...rest }: PartsRequest): object {
  const { order = null, ...offered } = offer ?? {};
  return {
    ...rest,
    ...(offer !== null && { offer: { ...offered, order_json: toJson(order) } }),
    ...(ended !== null && { ended: fromEnded(ended) }),
  };
}

export function toPartsAnswer(wire: WirePartsReply): Fenced<PartsAnswer> {
  const outcome = toOutcome(wire.outcome);
  if (outcome !== 'ACCEPTED') return { outcome };
  const { number, take, left, is_closed, others } = wire;
  const part = number === 0 ? null : { number, take };
  return { outcome, value: { part, left, is_closed, others: others.map(toEnded) } };
}

export function fromPartsAnswer(fenced: Fenced<PartsAnswer>): object {
  if (fenced.outcome !== 'ACCEPTED') return { outcome: fenced.outcome };
  const { part, left, is_closed, others } = fenced.value;
  return { outcome: fenced.outcome, ...part, left, is_closed, others: others.map(fromEnded) };
}
