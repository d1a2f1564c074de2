import { sha256 } from '../../../base/ids.ts';
import { EXECUTOR_FEATURES, type RegisterRequest } from '../../../protocol/control-plane.ts';
import { type RunRow, splitTypes } from '../run.ts';

const KIND_HEX_LENGTH = 32;
/** Ends the kind of runs whose executor was lost while it had them. */
const SUSPECT = '!';

/** What a run needs of an executor. */
export type RunNeeds = Pick<RunRow, 'connector_types' | 'labels_json'>;

/** What an executor has, as a claim sees it. */
export interface Claimant {
  readonly connectorTypes: ReadonlySet<string>;
  readonly labels: Readonly<Record<string, string>>;
}

/**
 * What a run needs beyond connector types and labels is kept among the types, which no connector type can be mistaken for. A
 * control plane of the release before, over the same store, knows of no such need and gives the run to nobody.
 */
const FEATURE = 'feature:';

export function featureNeed(feature: (typeof EXECUTOR_FEATURES)[number]): string {
  return FEATURE + feature;
}

/** All that an executor offers, as it is kept and sought. Of its features those that are known here. */
export function offersOf(executor: Pick<RegisterRequest, 'connector_types' | 'features'>): string[] {
  const features = EXECUTOR_FEATURES.filter((feature) => executor.features.includes(feature));
  const types = executor.connector_types.filter((type) => !type.startsWith(FEATURE));
  return [...types, ...features.map(featureNeed)];
}

/** The connector types among what is needed or offered. */
export function typesOf(offers: readonly string[]): string[] {
  return offers.filter((offer) => !offer.startsWith(FEATURE));
}

/** The features among them, by their names. */
export function featuresOf(offers: readonly string[]): string[] {
  return offers.filter((offer) => offer.startsWith(FEATURE)).map((offer) => offer.slice(FEATURE.length));
}

/** One name for equal needs, so that the queue is looked through kind by kind and never run by run. An active run stores it: 22 characters. */
export function kindOf(needs: RunNeeds): string {
  const hex = sha256(`${needs.connector_types}\n${needs.labels_json}`).slice(0, KIND_HEX_LENGTH);
  return Buffer.from(hex, 'hex').toString('base64url');
}

/** Runs that may have been the end of their executor queue apart: none of them shares an executor with another. */
export function suspectKind(kind: string): string {
  return kind.endsWith(SUSPECT) ? kind : kind + SUSPECT;
}

export function isSuspect(kind: string): boolean {
  return kind.endsWith(SUSPECT);
}

export function fits(needs: RunNeeds, who: Claimant): boolean {
  if (!splitTypes(needs.connector_types).every((type) => who.connectorTypes.has(type))) return false;
  const labels = JSON.parse(needs.labels_json) as Record<string, string>;
  return Object.entries(labels).every(([name, value]) => who.labels[name] === value);
}

export function claimantOf(executor: { connector_types: string; labels_json: string }): Claimant {
  return {
    connectorTypes: new Set(splitTypes(executor.connector_types)),
    labels: JSON.parse(executor.labels_json) as Record<string, string>,
  };
}
