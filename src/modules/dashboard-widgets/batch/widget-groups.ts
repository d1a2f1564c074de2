import type { KnownWidget } from '../known-widget.ts';

/** Widgets that one call to a thread computes: they read the very same, or nothing; or one that reads in its own way. */
export interface WidgetGroup {
  /** The connector that they read from. */
  readonly connector: string | null;
  readonly widgets: readonly KnownWidget[];
  /** Shows what may be another from one batch to the next, though the job and its connectors are the same. */
  readonly volatile: boolean;
}

/** The groups of a batch, in the order of their first widgets. */
export function groupWidgets(widgets: readonly KnownWidget[]): readonly WidgetGroup[] {
  const groups = new Map<string, KnownWidget[]>();
  for (const widget of widgets) {
    const key = groupKey(widget);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [widget]);
    else group.push(widget);
  }
  return [...groups.values()].map((members) => ({
    connector: members[0]?.connector ?? null,
    widgets: members,
    volatile: members.some(isVolatile),
  }));
}

function groupKey(widget: KnownWidget): string {
  if (widget.readKey !== null) return `read ${widget.readKey}`;
  if (widget.connector !== null) return `alone ${widget.id}`;
  return isVolatile(widget) ? 'volatile' : 'job';
}

/** Runs and uses of actions are the job's own, read anew for each batch. */
function isVolatile({ readsRuns, type }: KnownWidget): boolean {
  return readsRuns || type === 'action';
}
