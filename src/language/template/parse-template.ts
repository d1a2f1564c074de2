import type { Problem } from '../../base/errors.ts';
import { connectorType } from '../declare/connector-fit.ts';
import { expression } from '../declare/expressions.ts';
import { commonDefinitions, type JsonSchema } from '../declare/json-schema.ts';
import { entriesOf, map, readMapOf, submap } from '../declare/map.ts';
import { duration, flag, oneOf, text } from '../declare/values.ts';
import { ARGUMENTS } from '../task/arguments.ts';
import { headerKeys, runLimit } from '../task/document-keys.ts';
import { findCycle } from '../task/find-cycle.ts';
import { type ParseOptions, parseDocument } from '../yaml/document-check.ts';
import { JOB_KEY_NAMES } from '../yaml/scope-names.ts';
import { layerNodes } from './dag.ts';
import { JOB_CONFIG, jobConfigDefinitions } from './job-config.ts';
import { TASK_NODES } from './task-node.ts';

/** A checked job template: a DAG of tasks. `levels` is its Kahn layering, keys sorted within a level. */
export type JobTemplate = ReturnType<(typeof TEMPLATE)['from']>;

export type ParsedJobTemplate =
  | { readonly ok: true; readonly template: JobTemplate }
  | { readonly ok: false; readonly problems: readonly Problem[] };

const CONNECTOR = map('A connector to be bound by each job.', {
  type: connectorType('Required connector type, such as `postgres` or `csv`.'),
  required: flag('Whether each job must bind it.', true),
  description: text('What it is for.'),
});

const CONCURRENCY = map(
  'Limits on concurrent job runs.',
  {
    limit: runLimit('Maximum concurrent job runs per job, or per `key`.'),
    key_expr: expression(
      'Job runs with the same result share one limit. Default: one limit for all runs of the job.',
      JOB_KEY_NAMES,
    ),
    on_conflict: oneOf(
      'What happens to job runs beyond the limit.',
      ['queue', 'skip', 'cancel_running', 'fail'],
      {
        default: 'queue',
      },
    ),
  },
  { make: ({ limit, key_expr, on_conflict }) => ({ limit, key: key_expr, onConflict: on_conflict }) },
);

const TEMPLATE = map(
  'Orders tasks, and declares a job’s connectors and configuration.',
  {
    ...headerKeys('template'),
    args: ARGUMENTS,
    connectors: entriesOf('The connectors to be bound by a job, by the names used here.', CONNECTOR, {
      kind: 'word',
      declares: 'connectors',
    }),
    job_config: JOB_CONFIG,
    tasks: TASK_NODES,
    concurrency: submap(CONCURRENCY),
    deadline: duration('Job runs that have not finished this long after their creation are cancelled.', {
      absent: 'none',
    }),
    sla: duration(
      'Job runs that have not succeeded this long after their scheduled time are reported as late, and continue. Without a scheduled time, in a backfill and in a rerun it counts from their creation.',
      { absent: 'none' },
    ),
  },
  {
    title: 'Headgate job template',
    make: ({ job_config, deadline, sla, ...values }, reader) => {
      const nodes = Object.values(values.tasks);
      const cycle = findCycle(new Map(nodes.map((node) => [node.key, node.needs])));
      if (cycle !== null) {
        const path = reader.at('tasks', cycle[0] ?? '', 'needs');
        reader.check.add(path, `The tasks depend on each other in a cycle: ${cycle.join(' -> ')}`);
      }
      return {
        ...values,
        jobConfig: job_config,
        deadlineMs: deadline,
        slaMs: sla,
        levels: layerNodes(values.tasks),
      };
    },
  },
);

/** The schema of a job template's YAML. */
export function jobTemplateSchema(): JsonSchema {
  const options = { variables: false };
  const $defs = { ...commonDefinitions(options), ...jobConfigDefinitions(options) };
  return { ...TEMPLATE.schema(options), $defs };
}

/**
 * Parses a job template's YAML: its DAG, connectors and `job_config` schema, with every expression compiled. Never throws: all
 * problems come at once, each with path, line and column. Whether the tasks it names exist is for the caller to ask.
 */
export function parseJobTemplate(text: string, options: ParseOptions = {}): ParsedJobTemplate {
  const parsed = parseDocument(text, (check, value) => readMapOf(check, value, [], TEMPLATE), options);
  return parsed.ok ? { ok: true, template: parsed.value } : parsed;
}
