import type { Problem } from '../../../base/errors.ts';
import { sha256 } from '../../../base/ids.ts';
import { canonicalJson } from '../../../base/json.ts';
import type { NodeInfo, TemplateInfo } from '../../../threads/messages/definition-info.ts';
import { neededProblems, undeclaredProblems } from '../../job-templates/node-problems.ts';
import type { ConnectorMapping } from '../job.ts';
import type { CurrentTask, PinnedTask } from '../job-task-store.ts';

/** What of a job is upgraded, and what the caller gives for what is new. */
export interface UpgradeRequest {
  /** Whether the template's YAML as it is now is taken. */
  readonly template: boolean;
  /** Keys of the nodes that are pinned to the current version of their task; null: all. */
  readonly tasks: readonly string[] | null;
  /** Dashboards that are snapshotted again; null: all that differ from their templates, and those that the job lacks. */
  readonly dashboards: readonly number[] | null;
  /** Overwrite dashboards that were changed since they were made, without naming them. */
  readonly force: boolean;
  /** Over the job's mapping. */
  readonly connector_mapping: ConnectorMapping;
  /** Over the job's configuration; maps are merged. */
  readonly config: Readonly<Record<string, unknown>>;
}

/** What becomes of one node. */
export interface NodeChange {
  readonly key: string;
  readonly action: 'keep' | 'update' | 'add' | 'remove';
  readonly task_id: number;
  readonly task_name: string;
  readonly from_version: number | null;
  readonly to_version: number | null;
  /** The key names another task than before. */
  readonly replaced: boolean;
  /** `stale`: it stays, over a version that it was not written for. `dropped`: it goes with its node. */
  readonly override: 'none' | 'kept' | 'stale' | 'dropped';
  /** The texts of the two versions; equal where nothing changes. */
  readonly texts: readonly [before: string, after: string];
}

export interface ConnectorChange {
  readonly name: string;
  readonly action: 'add' | 'remove' | 'change';
  /** What the template wants, or wanted. */
  readonly type: string;
  readonly required: boolean;
  readonly from_id: number | null;
  readonly to_id: number | null;
}

interface NodesInput {
  readonly before: TemplateInfo;
  readonly after: TemplateInfo;
  readonly pinned: readonly PinnedTask[];
  readonly current: readonly CurrentTask[];
  /** Null: all. */
  readonly wanted: readonly string[] | null;
}

export interface PlannedNodes {
  readonly nodes: readonly NodeChange[];
  readonly problems: readonly Problem[];
  /** Tasks whose current version, or whose name, the plan relies on. */
  readonly used: readonly CurrentTask[];
}

/**
 * What each node of the job will be pinned to. A node that names the same task as before keeps that task, whatever it is called now;
 * one that is new, or names another, takes the task of that name.
 */
export function planNodes({ before, after, pinned, current, wanted }: NodesInput): PlannedNodes {
  const pins = new Map(pinned.map((pin) => [pin.task_key, pin]));
  const named = new Map(before.tasks.map((node) => [node.key, node.task]));
  const byId = new Map(current.map((task) => [task.id, task]));
  const byName = new Map(current.map((task) => [task.name, task]));
  const problems: Problem[] = wantedProblems(after, wanted);
  const nodes: NodeChange[] = [];
  const used = new Set<CurrentTask>();
  for (const node of after.tasks) {
    const pin = pins.get(node.key);
    pins.delete(node.key);
    const isSame = pin !== undefined && named.get(node.key) === node.task;
    const task = isSame ? byId.get(pin.task_id) : byName.get(node.task);
    if (task === undefined) {
      problems.push({ path: `tasks.${node.key}.task`, message: `There is no task "${node.task}"` });
      continue;
    }
    const replaced = pin !== undefined && pin.task_id !== task.id;
    if (pin !== undefined && !replaced && wanted?.includes(node.key) === false) {
      nodes.push(keptNode(node.key, pin));
      problems.push(...problemsOf(node, after, pin, pin));
    } else {
      used.add(task);
      nodes.push(pinnedNode(node.key, pin, task, replaced));
      problems.push(...problemsOf(node, after, { ...task, task_name: task.name }, pin));
    }
  }
  for (const pin of pins.values()) nodes.push(removedNode(pin));
  return { nodes, problems, used: [...used] };
}

function wantedProblems(after: TemplateInfo, wanted: readonly string[] | null): Problem[] {
  const known = new Set(after.tasks.map(({ key }) => key));
  return (wanted ?? []).flatMap((key, index) =>
    known.has(key) ? [] : [{ path: `tasks[${index}]`, message: `There is no task "${key}" in the job` }],
  );
}

function problemsOf(
  node: NodeInfo,
  after: TemplateInfo,
  task: Pick<PinnedTask, 'task_name' | 'connectors'>,
  pin: PinnedTask | undefined,
): Problem[] {
  const pinned = { name: task.task_name, connectors: task.connectors };
  const problems = [...neededProblems(node, pinned, after), ...undeclaredProblems(node, pinned)];
  const override = pin?.override ?? null;
  if (override !== null) {
    const own = { name: task.task_name, connectors: override.connectors };
    for (const problem of neededProblems(node, own, after))
      problems.push({ ...problem, message: `The override of "${node.key}" cannot stay: ${problem.message}` });
  }
  return problems;
}

function keptNode(key: string, pin: PinnedTask): NodeChange {
  return {
    key,
    action: 'keep',
    task_id: pin.task_id,
    task_name: pin.task_name,
    from_version: pin.task_version,
    to_version: pin.task_version,
    replaced: false,
    override: pin.override === null ? 'none' : 'kept',
    texts: [pin.yaml_content, pin.yaml_content],
  };
}

function pinnedNode(
  key: string,
  pin: PinnedTask | undefined,
  task: CurrentTask,
  replaced: boolean,
): NodeChange {
  if (pin !== undefined && !replaced && pin.task_version === task.version) return keptNode(key, pin);
  const isOverridden = (pin?.override ?? null) !== null;
  return {
    key,
    action: pin === undefined ? 'add' : 'update',
    task_id: task.id,
    task_name: task.name,
    from_version: pin?.task_version ?? null,
    to_version: task.version,
    replaced,
    override: isOverridden ? 'stale' : 'none',
    texts: [pin?.yaml_content ?? '', task.yaml_content],
  };
}

function removedNode(pin: PinnedTask): NodeChange {
  return {
    key: pin.task_key,
    action: 'remove',
    task_id: pin.task_id,
    task_name: pin.task_name,
    from_version: pin.task_version,
    to_version: null,
    replaced: false,
    override: pin.override === null ? 'none' : 'dropped',
    texts: [pin.yaml_content, ''],
  };
}

/** The job's mapping for the template that it will have: what that no longer has is left out, what was given comes over it. */
export function planMapping(
  before: TemplateInfo,
  after: TemplateInfo,
  saved: ConnectorMapping,
  given: ConnectorMapping,
): { readonly mapping: ConnectorMapping; readonly changes: readonly ConnectorChange[] } {
  const kept = Object.entries(saved).filter(([name]) => Object.hasOwn(after.connectors, name));
  const mapping = Object.fromEntries(new Map([...kept, ...Object.entries(given)]));
  const names = [...new Set([...Object.keys(before.connectors), ...Object.keys(after.connectors)])];
  const idIn = (map: ConnectorMapping, name: string) =>
    Object.hasOwn(map, name) ? (map[name] ?? null) : null;
  const changes = names.flatMap((name): ConnectorChange[] => {
    const was = Object.hasOwn(before.connectors, name) ? before.connectors[name] : undefined;
    const is = Object.hasOwn(after.connectors, name) ? after.connectors[name] : undefined;
    const wanted = is ?? was;
    if (wanted === undefined) return [];
    const { type, required } = wanted;
    const [from_id, to_id] = [idIn(saved, name), is === undefined ? null : idIn(mapping, name)];
    if (was === undefined) return [{ name, action: 'add', type, required, from_id, to_id }];
    if (is === undefined) return [{ name, action: 'remove', type, required, from_id, to_id }];
    if (was.type === is.type && was.required === is.required && from_id === to_id) return [];
    return [{ name, action: 'change', type, required, from_id, to_id }];
  });
  return { mapping, changes };
}

/** The name of a plan: it changes with anything that the plan would do, and with anything that it was made from. */
export function hashOfPlan(made: Readonly<Record<string, unknown>>): string {
  return sha256(canonicalJson(made)).slice(0, 32);
}
