import type { Selectable } from 'kysely';
import { timestamp } from '../../base/clock.ts';
import { JsonText } from '../../base/json.ts';
import type { Schema } from '../../store/schema.ts';
import type { TaskLimits } from '../../threads/messages/definition-info.ts';
import type { YamlRecord } from '../definitions/yaml-definitions.ts';

export type TaskRow = Selectable<Schema['tasks']>;

/** A task definition as the API returns it. */
export interface TaskRecord extends YamlRecord {
  readonly labels: Readonly<Record<string, string>>;
  readonly connectors: Readonly<Record<string, { readonly type: string }>>;
  readonly limits: TaskLimits;
  /** Names of the tasks that its steps run. */
  readonly runs: readonly string[];
  readonly created_at: string;
  readonly updated_at: string;
  readonly updated_by: string | null;
}

export function toTask(row: TaskRow): TaskRecord {
  const { labels_json, connectors_json, limits_json, runs_json, created_at, updated_at, ...rest } = row;
  return {
    ...rest,
    labels: JSON.parse(labels_json) as TaskRecord['labels'],
    connectors: JSON.parse(connectors_json) as TaskRecord['connectors'],
    limits: JSON.parse(limits_json) as TaskLimits,
    runs: namesRun(runs_json),
    created_at: timestamp(created_at),
    updated_at: timestamp(updated_at),
  };
}

export function namesRun(runs_json: string | null): readonly string[] {
  return runs_json === null ? [] : (JSON.parse(runs_json) as string[]);
}

/** The task for an answer, whose schema leaves out the other columns: to leave them out here takes five times as long. */
export function shownTask(row: TaskRow) {
  return {
    ...row,
    labels: new JsonText(row.labels_json),
    connectors: new JsonText(row.connectors_json),
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
  };
}
