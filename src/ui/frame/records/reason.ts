import type { Texts } from '../../texts/en/texts.ts';

/** Why a run is in its state, in words; a reason that the page does not know as it is. */
export function reasonText({ runs }: Texts, reason: string): string {
  return Object.hasOwn(runs.reasons, reason) ? (runs.reasons[reason] ?? reason) : reason;
}
