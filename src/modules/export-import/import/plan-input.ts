import type { Problem } from '../../../base/errors.ts';
import type { Bundle, BundleDefinition, BundleTemplate } from '../../../language/bundle/bundle.ts';
import type { ConflictPolicy, ParsedTask, ParsedTemplate } from './plan-item.ts';

export interface ImportOptions {
  readonly conflict: ConflictPolicy;
  readonly connectorMissing: 'stub' | 'fail';
}

/** A bundle whose texts were parsed. */
export interface ParsedBundle {
  readonly bundle: Bundle;
  readonly tasks: ReadonlyMap<BundleDefinition, ParsedTask>;
  readonly templates: ReadonlyMap<BundleTemplate, ParsedTemplate>;
  /** What is wrong with each dashboard's text. */
  readonly dashboards: ReadonlyMap<BundleDefinition, readonly Problem[]>;
}

/** What the server knows of a connector type; null where it has none of that name. */
export type StubProblems = (
  type: string,
  config: Readonly<Record<string, unknown>>,
  secrets: readonly string[],
) => readonly Problem[] | null;
