import type { Client } from '../../../../client/create-client.ts';
import type { Definition, DefinitionKind } from '../../../frame/definitions/definition-kind.ts';

/** The text that a job runs for one of its tasks. Its id and version are the job's: an override is part of the job. */
export interface OverrideText extends Definition {
  /** What the job's own version of the task says. */
  readonly pinned: string;
  readonly isOverridden: boolean;
}

/** How the override of one task of a job is read, checked and saved. */
export function overrideKind(api: Client, key: string): DefinitionKind<OverrideText> {
  const read = (id: number, signal?: AbortSignal) => readText(api, id, key, signal);
  return {
    noun: `override-${key}`,
    schema: 'task',
    isNamed: false,
    read,
    check: async (yaml_content) =>
      (await api.POST('/api/tasks/validate', { body: { yaml_content } })).problems,
    async update(id, version, { yaml_content }) {
      await api.PUT('/api/jobs/{id}/tasks/{key}/override', {
        params: { path: { id, key }, header: { 'If-Match': `"${version}"` } },
        body: { yaml_content },
      });
      return read(id);
    },
  };
}

/** Its override, else the text that it has pinned. */
async function readText(
  api: Client,
  id: number,
  key: string,
  signal: AbortSignal | undefined,
): Promise<OverrideText> {
  const stop = signal === undefined ? {} : { signal };
  const job = await api.GET('/api/jobs/{id}', { params: { path: { id } }, ...stop });
  const made = { id, name: key, description: null, version: job.version, updated_at: job.updated_at };
  if (job.overridden_task_keys.includes(key)) {
    const params = { path: { id, key } };
    const override = await api.GET('/api/jobs/{id}/tasks/{key}/override', { params, ...stop });
    const { yaml_content, pinned_yaml_content: pinned } = override;
    return { ...made, yaml_content, pinned, isOverridden: true };
  }
  const { tasks } = await api.GET('/api/jobs/{id}/drift', { params: { path: { id } }, ...stop });
  const task = tasks.find((one) => one.key === key);
  const path = { id: task?.task_id ?? 0, version: task?.pinned_version ?? task?.current_version ?? 0 };
  const { yaml_content } = await api.GET('/api/tasks/{id}/versions/{version}', { params: { path }, ...stop });
  return { ...made, yaml_content, pinned: yaml_content, isOverridden: false };
}
