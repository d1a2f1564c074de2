import type { Clock } from '../../base/clock.ts';
import { timestamp, timestampOrNull } from '../../base/clock.ts';
import { isRecord } from '../../base/json.ts';
import type { Db } from '../../store/store.ts';
import type {
  ActionInfo,
  ConfigEntryInfo,
  PresetInfo,
  TaskRunInfo,
  WidgetOwnInput,
} from '../../threads/messages/widget-calls.ts';
import { selectPresetByName } from '../explorer-presets/explorer-preset-store.ts';
import type { ConnectorMapping } from '../jobs/job.ts';
import { selectLastActions } from './input/widget-action-store.ts';
import type { KnownWidget } from './known-widget.ts';
import { selectLatestRuns } from './latest-runs.ts';
import type { WidgetSource } from './widget-source.ts';

export const ENTRY_TYPES: readonly string[] = ['form', 'field_mapping'];
const INPUT_TYPES: readonly string[] = [...ENTRY_TYPES, 'action'];
const TASK_TYPES: readonly string[] = ['task_progress', 'action'];

/** Reads for many widgets of one dashboard at once: a query per kind of need, none where no widget has it. */
export async function readOwnInputs(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  { row, job, template, mapping }: WidgetSource,
  widgets: readonly KnownWidget[],
  inputRefusal: string | null,
): Promise<(widget: KnownWidget) => WidgetOwnInput> {
  const taskKeys = template.tasks.map(({ key }) => key);
  const runs = widgets.some((widget) => widget.readsRuns) ? await selectLatestRuns(db, job.id, taskKeys) : [];
  const actions = await lastActionsOf(db, clock, row.id, widgets);
  const presets = await presetsOf(db, mapping, widgets);
  return (widget) => ({
    widgetId: widget.id,
    runs: widget.readsRuns ? runs : NO_RUNS,
    ...(TASK_TYPES.includes(widget.type) && { taskKeys }),
    ...(ENTRY_TYPES.includes(widget.type) && {
      entry: entryOf(widget, template.jobConfig, job.config_version),
    }),
    ...(widget.type === 'action' && { lastAction: actions.get(widget.id) ?? null }),
    ...(widget.type === 'explorer' && { preset: presets.get(widget.id) ?? null }),
    ...(INPUT_TYPES.includes(widget.type) && { inputRefusal }),
  });
}

const NO_RUNS: readonly TaskRunInfo[] = [];

/** The entry of `job_config` that a form or a mapping edits: the one it names, or the one with its own id. */
export function entryKeyOf({ id, config }: KnownWidget): string {
  return typeof config['config_key'] === 'string' ? config['config_key'] : id;
}

function entryOf(
  widget: KnownWidget,
  schemas: Readonly<Record<string, unknown>>,
  version: number,
): ConfigEntryInfo | null {
  const key = entryKeyOf(widget);
  const schema = Object.hasOwn(schemas, key) ? schemas[key] : undefined;
  return isRecord(schema) ? { key, schema, version } : null;
}

async function lastActionsOf(
  db: Db,
  clock: Clock,
  dashboardId: number,
  widgets: readonly KnownWidget[],
): Promise<ReadonlyMap<string, ActionInfo>> {
  const ids = widgets.filter(({ type }) => type === 'action').map(({ id }) => id);
  const now = clock.now();
  const rows = await selectLastActions(db, dashboardId, ids);
  return new Map(
    rows.map(({ widget_id, acted_at, outcome, cooldown_until, job_run_id, status }) => {
      const cools = cooldown_until !== null && cooldown_until > now;
      const info: ActionInfo = {
        acted_at: timestamp(acted_at),
        outcome: outcome as ActionInfo['outcome'],
        cooldown_until: timestampOrNull(cools ? cooldown_until : null),
        job_run_id,
        status,
      };
      return [widget_id, info];
    }),
  );
}

async function presetsOf(
  db: Db,
  mapping: ConnectorMapping,
  widgets: readonly KnownWidget[],
): Promise<ReadonlyMap<string, PresetInfo>> {
  const found = new Map<string, PresetInfo>();
  for (const { id, type, connector, config } of widgets) {
    const name = config['preset'];
    if (type !== 'explorer' || typeof name !== 'string' || connector === null) continue;
    const connectorId = Object.hasOwn(mapping, connector) ? mapping[connector] : undefined;
    if (connectorId === undefined) continue;
    const preset = await selectPresetByName(db, connectorId, name);
    if (preset !== null) found.set(id, preset);
  }
  return found;
}
