import type { Problem } from '../../../base/errors.ts';
import type {
  BundleDefinitionInfo,
  BundleInfo,
  BundleTemplateInfo,
} from '../../../threads/messages/bundle-messages.ts';
import type { ConflictPolicy, ParsedTask, ParsedTemplate } from './plan-item.ts';

export interface ImportOptions {
  readonly conflict: ConflictPolicy;
  readonly connectorMissing: 'stub' | 'fail';
}

/** A bundle whose texts were parsed. */
export interface ParsedBundle {
  readonly bundle: BundleInfo;
  readonly tasks: ReadonlyMap<BundleDefinitionInfo, ParsedTask>;
  readonly templates: ReadonlyMap<BundleTemplateInfo, ParsedTemplate>;
  /** What is wrong with each dashboard's text. */
  readonly dashboards: ReadonlyMap<BundleDefinitionInfo, readonly Problem[]>;
}

/** What the server knows of a connector type; null where it has none of that name. */
export type StubProblems = (
  type: string,
  config: Readonly<Record<string, unknown>>,
  secrets: readonly string[],
) => readonly Problem[] | null;
