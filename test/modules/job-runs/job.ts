import type { RunnableJob, StartRequest } from '../../../src/modules/job-runs/job-run-start.ts';
import type { ExecutorIdentity, Lease } from '../../../src/protocol/control-plane.ts';
import type { Store } from '../../../src/store/store.ts';
import type { NodeInfo, TemplateInfo } from '../../../src/threads/messages/definition-info.ts';
import { claimOne, completionOf, FAILED, type Plane } from '../runs/plane.ts';

export const MANUAL: StartRequest = {
  reason: 'manual',
  args: {},
  trigger_id: null,
  scheduled_for: null,
  rerun_of: null,
};

export function nodeOf(key: string, needs: readonly string[] = [], over: Partial<NodeInfo> = {}): NodeInfo {
  return {
    key,
    task: key,
    needs,
    connectors: {},
    runIf: 'all_success',
    allowFailure: false,
    retry: null,
    timeoutMs: null,
    when: null,
    argsSource: null,
    ...over,
  };
}

export function templateOf(nodes: readonly NodeInfo[]): TemplateInfo {
  return {
    name: 'template',
    description: null,
    args: {},
    tasks: nodes,
    connectors: { db: { type: 'sqlite', required: true, description: null } },
    levels: [nodes.map((node) => node.key)],
    labels: {},
    dag: { tasks: {}, levels: [] },
    jobConfig: {},
    jobConfigDefaults: {},
  };
}

const AT = { created_at: 1, updated_at: 1 };

/** A job of these nodes, each with a task of its own whose text is `yaml of <key>` and which needs the connector "db". */
export async function newJob(
  store: Store,
  nodes: readonly NodeInfo[],
  over: Partial<TemplateInfo> = {},
): Promise<RunnableJob> {
  const parsed = { ...templateOf(nodes), ...over };
  return store.write(async (tx) => {
    const suffix = `${Date.now()}-${Math.random()}`;
    const text = { yaml_content: 'x', parsed_json: JSON.stringify(parsed) };
    const template = await tx
      .insertInto('job_templates')
      .values({ name: `t-${suffix}`, ...text, status: 'active', version: 1, ...AT })
      .returning('id')
      .executeTakeFirstOrThrow();
    const job = await tx
      .insertInto('jobs')
      .values({
        job_template_id: template.id,
        template_version: 1,
        name: `j-${suffix}`,
        ...text,
        connector_mapping_json: '{}',
        config_json: '{}',
        config_version: 1,
        status: 'active',
        version: 1,
        ...AT,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    for (const node of nodes) {
      const yaml_content = `yaml of ${node.key}`;
      const connectors_json = '{"db":{"type":"sqlite"}}';
      const task = await tx
        .insertInto('tasks')
        .values({
          name: `${node.key}-${suffix}`,
          yaml_content,
          status: 'active',
          labels_json: '{}',
          connectors_json,
          version: 1,
          ...AT,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await tx
        .insertInto('task_versions')
        .values({ task_id: task.id, version: 1, yaml_content, connectors_json, created_at: 1 })
        .execute();
      await tx
        .insertInto('job_tasks')
        .values({ job_id: job.id, task_key: node.key, task_id: task.id, task_version: 1 })
        .execute();
    }
    return { id: job.id, name: `j-${suffix}`, parsed, config: { color: 'red' }, mapping: { db: 7 } };
  });
}

/** What each node of a job run has come to: `status` or `status/reason` where it was skipped. */
export async function nodesOf(store: Store, jobRunId: number): Promise<Record<string, string>> {
  const runs = await store.read
    .selectFrom('runs')
    .select(['task_key', 'status', 'reason'])
    .where('job_run_id', '=', jobRunId)
    .execute();
  const shown = runs.map(({ task_key, status, reason }) => [
    task_key ?? '',
    status === 'skipped' ? `skipped/${reason}` : status,
  ]);
  return Object.fromEntries(shown) as Record<string, string>;
}

/** Runs whatever is queued until nothing is; `failing` nodes end with an error. Returns their keys in order. */
export async function work(
  plane: Plane,
  executor: ExecutorIdentity,
  failing: readonly string[] = [],
): Promise<string[]> {
  const keys: string[] = [];
  for (;;) {
    const lease: Lease | null = await claimOne(plane, executor).catch(() => null);
    if (lease === null) return keys;
    const run = await plane.store.read
      .selectFrom('runs')
      .select('task_key')
      .where('id', '=', lease.run_id)
      .executeTakeFirstOrThrow();
    const key = run.task_key ?? '';
    keys.push(key);
    await plane.intake.acknowledge(lease);
    await plane.intake.complete(completionOf(lease, failing.includes(key) ? FAILED : {}));
  }
}
