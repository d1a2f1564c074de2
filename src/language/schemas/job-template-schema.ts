import { CONCURRENCY_MAX } from '../task/task-concurrency.ts';
import { CONFLICT_RULES } from '../template/job-concurrency.ts';
import type { RunIf } from '../template/template.ts';
import { argumentsSchema, headerSchemas, retrySchema } from './common-schemas.ts';
import { jobConfigDefinitions, jobConfigSchema } from './job-config-schemas.ts';
import {
  createSchemaKit,
  is,
  type JsonSchema,
  objectOf,
  onlyBeside,
  type Properties,
  type SchemaKit,
  when,
} from './schema-kit.ts';

const RUN_IFS: readonly RunIf[] = ['all_success', 'all_done', 'any_failed', 'none_failed'];

/** The schema of a job template's YAML. */
export function jobTemplateSchema(): JsonSchema {
  const kit = createSchemaKit({ variables: false });
  const connector = objectOf(
    'A connector that each job binds.',
    {
      type: kit.name('The type that it must have.', 'word'),
      required: kit.flag('Whether a job must bind one; true by default.'),
      description: kit.text('What it is for.'),
    },
    { required: ['type'] },
  );
  const concurrency = objectOf(
    'How many job runs may go on at once.',
    {
      limit: kit.integer('Job runs of one job, or of one key.', 1, CONCURRENCY_MAX),
      key_expr: kit.expression('Runs with equal answers count together. Default: all of the job.'),
      on_conflict: kit.oneOf('What becomes of one too many; queue by default.', CONFLICT_RULES),
    },
    { required: ['limit'] },
  );
  const properties: Properties = {
    ...headerSchemas(kit, 'template'),
    args: argumentsSchema(kit),
    connectors: kit.entries('Names for the connectors that a job binds.', connector, 'word'),
    job_config: jobConfigSchema(kit),
    tasks: {
      ...kit.entries('The nodes of the DAG: keys to tasks.', taskNodeSchema(kit), 'key'),
      minProperties: 1,
      maxProperties: 500,
    },
    concurrency,
    deadline: kit.duration('A job run that has not ended so long after it was created is cancelled.'),
  };
  const words = 'Puts tasks into an order, and says which connectors and configuration a job has.';
  const document = objectOf(words, properties, { required: ['name', 'tasks'] });
  return {
    title: 'Headgate job template',
    ...document,
    $defs: { ...kit.definitions, ...jobConfigDefinitions(kit) },
  };
}

function taskNodeSchema(kit: SchemaKit): JsonSchema {
  const properties: Properties = {
    task: kit.text('The name of the task.', { required: true }),
    needs: kit.names('Nodes that must have ended before.'),
    connectors: {
      ...kit.entries('The task’s names for connectors to the template’s.', { type: 'string' }, 'word'),
    },
    args: kit.anyMap('Arguments of the task, with `{{ expression }}` in their texts.'),
    when: kit.expression('The node is skipped where this is false.'),
    run_if: kit.oneOf('What must have become of `needs`; all_success by default.', RUN_IFS),
    allow_failure: kit.flag('Whether the job run may succeed when the node fails.'),
    retry: retrySchema(kit),
    timeout: kit.duration('The longest time of a run.'),
  };
  const afterSome = is('run_if', ...RUN_IFS.filter((rule) => rule !== 'all_success'));
  const schema = objectOf('A node of the DAG.', properties, {
    required: ['task'],
    rules: [when(afterSome, onlyBeside(['run_if'], ['needs']))],
  });
  return { title: 'A node', ...schema };
}
