import type { Problem } from '../../../base/errors.ts';
import type { BundleConnector, BundleDefinition, BundleTemplate } from '../../../language/bundle/bundle.ts';
import type { ConnectorRow } from '../../connectors/connector.ts';
import type { DashboardTemplateRow } from '../../dashboard-templates/dashboard-template.ts';
import type { JobTemplateRow } from '../../job-templates/job-template.ts';
import type { ParseTemplate } from '../../job-templates/job-template-service.ts';
import type { TaskRecord } from '../../tasks/task.ts';
import type { ParseTask } from '../../tasks/task-service.ts';

export const ITEM_KINDS = ['connector', 'task', 'job_template', 'dashboard_template'] as const;
export type ItemKind = (typeof ITEM_KINDS)[number];

export const ITEM_ACTIONS = [
  'create',
  'update',
  'unchanged',
  'skip',
  'conflict',
  'missing_dependency',
  'invalid',
] as const;
export type ItemAction = (typeof ITEM_ACTIONS)[number];

/** Actions that block the whole import. */
export const BLOCKING: ReadonlySet<ItemAction> = new Set(['conflict', 'missing_dependency', 'invalid']);

export const CONFLICT_POLICIES = ['fail', 'update', 'skip', 'rename'] as const;
export type ConflictPolicy = (typeof CONFLICT_POLICIES)[number];

export type ParsedTask = Awaited<ReturnType<ParseTask>>;
export type ParsedTemplate = Awaited<ReturnType<ParseTemplate>>;

interface Item {
  readonly name: string;
  readonly action: ItemAction;
  /** The name under which it is created if its own is taken; otherwise null. */
  readonly renameTo: string | null;
  /** Why it blocks. */
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

export interface ConnectorItem extends Item {
  readonly kind: 'connector';
  readonly connector: BundleConnector;
  readonly existing: ConnectorRow | null;
}

export interface TaskItem extends Item {
  readonly kind: 'task';
  readonly definition: BundleDefinition;
  readonly parsed: ParsedTask;
  readonly existing: TaskRecord | null;
}

export interface TemplateItem extends Item {
  readonly kind: 'job_template';
  readonly definition: BundleTemplate;
  readonly parsed: ParsedTemplate;
  readonly existing: JobTemplateRow | null;
}

export interface DashboardItem extends Item {
  readonly kind: 'dashboard_template';
  readonly definition: BundleDefinition;
  readonly template: TemplateItem;
  readonly existing: DashboardTemplateRow | null;
}

export type PlanItem = ConnectorItem | TaskItem | TemplateItem | DashboardItem;

export type Decision = Omit<Item, 'name'>;

export function decision(action: ItemAction, problems: readonly Problem[] = []): Decision {
  return { action, renameTo: null, problems, warnings: [] };
}

export interface Taken {
  readonly noun: string;
  readonly name: string;
  readonly exists: boolean;
  /** The existing one equals the bundle's. */
  readonly same: boolean;
  /** A free name, or the reason why there is none. */
  readonly rename: () => { readonly name: string } | { readonly problem: string };
}

/** The action for an item with a name that may be taken. */
export function decide(policy: ConflictPolicy, taken: Taken): Decision {
  if (!taken.exists) return decision('create');
  if (taken.same) return decision('unchanged');
  switch (policy) {
    case 'update':
    case 'skip':
      return decision(policy);
    case 'rename': {
      const renamed = taken.rename();
      return 'name' in renamed
        ? { ...decision('create'), renameTo: renamed.name }
        : decision('conflict', [{ path: 'name', message: renamed.problem }]);
    }
    case 'fail': {
      const message = `There is a ${taken.noun} "${taken.name}" already, and it differs: choose "update", "skip" or "rename"`;
      return decision('conflict', [{ path: 'name', message }]);
    }
    default:
      return policy satisfies never;
  }
}

/** Whether the item changes the store. */
export function isWritten({ action }: { readonly action: ItemAction }): boolean {
  return action === 'create' || action === 'update';
}
