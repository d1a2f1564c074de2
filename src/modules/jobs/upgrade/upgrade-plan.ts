import type { Problem } from '../../../base/errors.ts';
import { sha256 } from '../../../base/ids.ts';
import { canonicalJson } from '../../../base/json.ts';
import type { NodeInfo, TemplateInfo } from '../../../threads/messages/definition-info.ts';
import { neededProblems, undeclaredProblems } from '../../job-templates/node-problems.ts';
import { type ChildTask, childTasksIn } from '../../tasks/child-tasks.ts';
import type { ConnectorMapping } from '../job.ts';
import type { CurrentTask, PinnedTask } from '../job-task-store.ts';

/** The parts of a job to upgrade, and the caller's values for new ones. */
export interface UpgradeRequest {
  /** Whether to take the current YAML of the template. */
  readonly template: boolean;
  /** Keys of the nodes to pin to the current version of their task; null: all. */
  readonly tasks: readonly string[] | null;
  /** Dashboards to snapshot again; null: all that differ from their templates, and those that the job does not have yet. */
  readonly dashboards: readonly number[] | null;
  /** Also overwrite modified dashboards that are not named. */
  readonly force: boolean;
  /** Merged over the job's mapping. */
  readonly connector_mapping: ConnectorMapping;
  /** Merged over the job's configuration. */
  readonly config: Readonly<Record<string, unknown>>;
}

/** The change of one node. */
export interface NodeChange {
  readonly key: string;
  readonly action: 'keep' | 'update' | 'add' | 'remove';
  readonly task_id: number;
  readonly task_name: string;
  readonly from_version: number | null;
  readonly to_version: number | null;
  /** The key now names a different task. */
  readonly replaced: boolean;
  /** `stale`: it stays, for a version that it was not written for. `dropped`: it is deleted with its node. */
  readonly override: 'none' | 'kept' | 'stale' | 'dropped';
  /** The texts of the two versions; equal if nothing changes. */
  readonly texts: readonly [before: string, after: string];
  /** Of the tasks that its steps run those that change. */
  readonly children: readonly ChildChange[];
  /** All of them, as they are afterwards. */
  readonly childPins: readonly ChildTask[];
}

/** The change of a task that `run_task` steps of a node run. */
export interface ChildChange extends Pick<NodeChange, 'task_id' | 'from_version' | 'to_version' | 'texts'> {
  /** As the steps name it. */
  readonly name: string;
  readonly action: 'update' | 'add' | 'remove';
}

export interface ConnectorChange {
  readonly name: string;
  readonly action: 'add' | 'remove' | 'change';
  /** The task that the template names, or named. */
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
  /** Tasks with a current version or a name that the plan relies on. */
  readonly used: readonly CurrentTask[];
}

/**
 * The future pins of the job's nodes. A node that names the same task as before keeps that task, even if it was renamed; a new
 * one, or one that names another, gets the task of that name.
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
      const runs = [...new Set([...task.runs, ...(pin?.override?.runs ?? [])])];
      const children = childTasksIn(current, { name: task.name, runs }, `tasks.${node.key}.task`);
      problems.push(...children.problems);
      for (const { name } of children.tasks) used.add(byName.get(name) ?? task);
      nodes.push(pinnedNode(node.key, pin, task, replaced, children.tasks));
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
    children: [],
    childPins: pin.children,
  };
}

function pinnedNode(
  key: string,
  pin: PinnedTask | undefined,
  task: CurrentTask,
  replaced: boolean,
  childPins: readonly ChildTask[],
): NodeChange {
  const children = childChanges(pin?.children ?? [], childPins);
  const isSame = pin !== undefined && !replaced && pin.task_version === task.version;
  if (isSame && children.length === 0) return keptNode(key, pin);
  const isOverridden = (pin?.override ?? null) !== null;
  return {
    key,
    action: pin === undefined ? 'add' : 'update',
    task_id: task.id,
    task_name: task.name,
    from_version: pin?.task_version ?? null,
    to_version: task.version,
    replaced,
    override: isOverridden ? (isSame ? 'kept' : 'stale') : 'none',
    texts: [pin?.yaml_content ?? '', task.yaml_content],
    children,
    childPins,
  };
}

function childChanges(before: readonly ChildTask[], after: readonly ChildTask[]): ChildChange[] {
  const was = new Map(before.map((task) => [task.name, task]));
  const is = new Map(after.map((task) => [task.name, task]));
  return [...new Set([...was.keys(), ...is.keys()])].sort().flatMap((name): ChildChange[] => {
    const [from, to] = [was.get(name), is.get(name)];
    if (from?.task_id === to?.task_id && from?.task_version === to?.task_version) return [];
    return [
      {
        name,
        action: from === undefined ? 'add' : to === undefined ? 'remove' : 'update',
        task_id: (to ?? from)?.task_id ?? 0,
        from_version: from?.task_version ?? null,
        to_version: to?.task_version ?? null,
        texts: [from?.yaml_content ?? '', to?.yaml_content ?? ''],
      },
    ];
  });
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
    children: childChanges(pin.children, []),
    childPins: [],
  };
}

/**
 * The job's mapping for its new template: names that the template no longer has are left out, the caller's values are merged
 * over it.
 */
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

/** The hash of a plan: it changes with every action of the plan, and with everything that the plan was made from. */
export function hashOfPlan(made: Readonly<Record<string, unknown>>): string {
  return sha256(canonicalJson(made)).slice(0, 32);
}
