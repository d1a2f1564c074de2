import { sha256 } from '../../base/ids.ts';
import { type RunRow, splitTypes } from './run.ts';

const KIND_LENGTH = 32;
/** Ends the kind of runs whose executor was lost while it had them. */
const SUSPECT = '!';

/** What a run needs of an executor. */
export type RunNeeds = Pick<RunRow, 'connector_types' | 'labels_json'>;

/** What an executor has, as a claim sees it. */
export interface Claimant {
  readonly connectorTypes: ReadonlySet<string>;
  readonly labels: Readonly<Record<string, string>>;
}

/** One name for equal needs, so that the queue is looked through kind by kind and never run by run. */
export function kindOf(needs: RunNeeds): string {
  return sha256(`${needs.connector_types}\n${needs.labels_json}`).slice(0, KIND_LENGTH);
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
