import { insertJobTemplate } from '../../src/modules/job-templates/job-template-store.ts';
import { insertJob } from '../../src/modules/jobs/job-store.ts';
import { insertTask } from '../../src/modules/tasks/task-store.ts';
import { defaultSettings } from '../../src/modules/triggers/trigger.ts';
import { insertTrigger } from '../../src/modules/triggers/trigger-store.ts';
import type { Store } from '../../src/store/store.ts';
import type { TemplateInfo } from '../../src/threads/messages/definition-info.ts';

const yaml = 'version: 1\nname: load\nsteps: []\n';

/** So many jobs of one template, each with an hourly trigger whose next time is `dueAt`. */
export async function makeDueTriggers(store: Store, count: number, dueAt: number): Promise<void> {
  const node = { needs: [], connectors: {}, runIf: 'all_success', allowFailure: false } as const;
  const parsed: TemplateInfo = {
    name: 'bench',
    description: null,
    args: {},
    tasks: [
      { ...node, key: 'load', task: 'load', retry: null, timeoutMs: null, when: null, argsSource: null },
    ],
    connectors: {},
    levels: [['load']],
    labels: {},
    dag: { tasks: {}, levels: [] },
    jobConfig: {},
    jobConfigDefaults: {},
  };
  const by = 'bench';
  await store.write(async (tx) => {
    const info = { name: 'load', description: null, labels: {}, connectors: {} };
    const task = await insertTask(tx, { ...info, yaml, by, now: 0 });
    const template = await insertJobTemplate(tx, {
      name: 'bench',
      description: null,
      yaml,
      parsed,
      by,
      now: 0,
    });
    for (let index = 0; index < count; index++) {
      const job = {
        job_template_id: template.id,
        template_version: 1,
        name: `job ${index}`,
        description: null,
        yaml_content: yaml,
        parsed_json: JSON.stringify(parsed),
        mapping: {},
        config: {},
      };
      const pin = { task_key: 'load', task_id: task.id, task_version: 1 };
      const { id } = await insertJob(tx, job, [pin], by, 0);
      await insertTrigger(tx, id, defaultSettings('0 * * * *'), dueAt, 0);
    }
  });
}
