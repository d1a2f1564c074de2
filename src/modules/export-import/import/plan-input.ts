import type { Problem } from '../../../base/errors.ts';
import type { Bundle, BundleDefinition, BundleTemplate } from '../../../language/bundle/bundle.ts';
import type { ConflictPolicy, ParsedTask, ParsedTemplate } from './plan-item.ts';

export interface ImportOptions {
  readonly conflict: ConflictPolicy;
  readonly connectorMissing: 'stub' | 'fail';
}

/** A bundle with its texts parsed. */
export interface ParsedBundle {
  readonly bundle: Bundle;
  readonly tasks: ReadonlyMap<BundleDefinition, ParsedTask>;
  readonly templates: ReadonlyMap<BundleTemplate, ParsedTemplate>;
  /** The problems of each dashboard's text. */
  readonly dashboards: ReadonlyMap<BundleDefinition, readonly Problem[]>;
}

/** The server's connector type; null if it has none of that name. */
export type StubProblems = (
  type: string,
  config: Readonly<Record<string, unknown>>,
  secrets: readonly string[],
) => readonly Problem[] | null;
