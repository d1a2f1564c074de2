/**
 * What a run with a divided extract and the control plane tell each other of its parts, in one form: the engine makes it, and the
 * executor contract carries it as it is.
 */

import type { StepResult } from './run-report.ts';

/** Priority of runs that only help another, below the lowest that a run can be given: whole runs come first. */
export const HELP_PRIORITY = -101;

/** The parts of a step that a run is about to work on. */
export interface PartsOffer {
  /** Of the plan: equal plans have the same one. */
  readonly digest: string;
  /** What the rows of each part have in common, for people; parts are numbered from 1 in this order. */
  readonly labels: readonly string[];
  /** How many other executor slots may take some of them; 0 for none. */
  readonly helpers: number;
  /** What these need besides the run's specification; null where there are none. */
  readonly order: unknown;
}

/** A part whose work has ended. */
export interface EndedPart {
  readonly number: number;
  /** As it was told when the part was taken: an older take counts for nothing. */
  readonly take: number;
  /** Rows of it in the stage of the target. */
  readonly rows: number;
  /** Why it is not staged; empty where it is. */
  readonly error: string;
  /** What the steps of the pipeline did for it. */
  readonly steps: readonly StepResult[];
}

/** One question of whoever works on parts: the run itself, or a run that helps it. At most one is open at a time. */
export interface PartsAsk {
  readonly step_id: string;
  /** Parts that it works on now; it has lost whatever else the control plane believes it has. */
  readonly holding: readonly number[];
  /** The run itself, before anything else: begins anew. */
  readonly offer: PartsOffer | null;
  readonly ended: EndedPart | null;
  /** It would work on one more. */
  readonly wants: boolean;
}

export interface PartsAnswer {
  /** The part to work on; null where none is to be had now. */
  readonly part: { readonly number: number; readonly take: number } | null;
  /** Parts that are not staged yet. */
  readonly left: number;
  /** Nothing more is to be done: the run has ended, began anew, or a part failed for good. */
  readonly is_closed: boolean;
  /** For the run itself, once none is left: those that others have staged. */
  readonly others: readonly EndedPart[];
}

/** The run that another one helps with its parts. */
export interface RunHelp {
  readonly run_id: number;
  readonly attempt: number;
  readonly step_id: string;
  /** As it was offered; null where nothing is left to do. */
  readonly order: unknown;
}
