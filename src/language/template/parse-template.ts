import type { Problem } from '../../base/errors.ts';
import { readArguments } from '../task/argument-spec.ts';
import { findCycle } from '../task/find-cycle.ts';
import { type DocumentCheck, parseDocument } from '../yaml/document-check.ts';
import { readHeader } from '../yaml/header-reader.ts';
import { type MapReader, readMap } from '../yaml/map-reader.ts';
import type { YamlLimits } from '../yaml/yaml-guard.ts';
import { layerNodes } from './dag.ts';
import { readJobConcurrency } from './job-concurrency.ts';
import { readJobConfig } from './read-job-config.ts';
import { readTaskNodes } from './task-node.ts';
import type { JobTemplate, TaskNode } from './template.ts';

export type ParsedJobTemplate =
  | { readonly ok: true; readonly template: JobTemplate }
  | { readonly ok: false; readonly problems: readonly Problem[] };

const TEMPLATE_KEYS = {
  keys: [
    'version',
    'name',
    'description',
    'args',
    'connectors',
    'job_config',
    'tasks',
    'concurrency',
    'deadline',
    'labels',
  ],
  later: ['sla'],
};

const NODES_MAX = 500;

const EMPTY_TEMPLATE: JobTemplate = {
  version: 1,
  name: '',
  description: null,
  args: {},
  connectors: {},
  jobConfig: {},
  tasks: {},
  labels: {},
  concurrency: null,
  deadlineMs: null,
  levels: [],
};

/**
 * Parses a job template's YAML: its DAG, connectors and `job_config` schema, with every expression compiled. Never throws: all
 * problems come at once, each with path, line and column. Whether the tasks it names exist is for the caller to ask.
 */
export function parseJobTemplate(text: string, limits: Partial<YamlLimits> = {}): ParsedJobTemplate {
  const parsed = parseDocument(text, readTemplateDocument, limits);
  return parsed.ok ? { ok: true, template: parsed.value } : parsed;
}

function readTemplateDocument(check: DocumentCheck, value: unknown): JobTemplate {
  const reader = readMap(check, value, [], TEMPLATE_KEYS);
  if (reader === null) return EMPTY_TEMPLATE;
  const connectors = readTemplateConnectors(reader);
  const tasks = readTaskNodes(reader, Object.keys(connectors));
  checkGraph(reader, tasks);
  return {
    ...readHeader(reader),
    args: readArguments(reader),
    connectors,
    jobConfig: readJobConfig(reader, { connectors: Object.keys(connectors) }),
    tasks,
    concurrency: readJobConcurrency(reader),
    deadlineMs: reader.duration('deadline'),
    levels: layerNodes(tasks),
  };
}

function readTemplateConnectors(reader: MapReader): JobTemplate['connectors'] {
  const connectors: Record<string, JobTemplate['connectors'][string]> = {};
  for (const [name, value] of reader.entries('connectors', 'word')) {
    const keys = { keys: ['type', 'required', 'description'] };
    const connector = readMap(reader.check, value, reader.at('connectors', name), keys);
    connectors[name] = {
      type: connector?.name('type', 'word', { required: true }) ?? '',
      required: connector?.flag('required', true) ?? true,
      description: connector?.text('description') ?? null,
    };
  }
  return connectors;
}

function checkGraph(reader: MapReader, tasks: Readonly<Record<string, TaskNode>>): void {
  const keys = Object.keys(tasks);
  if (keys.length > NODES_MAX) reader.wrong('tasks', `"tasks" has more than ${NODES_MAX} nodes`);
  const cycle = findCycle(new Map(Object.values(tasks).map((node) => [node.key, node.needs])));
  if (cycle === null) return;
  const path = reader.at('tasks', cycle[0] ?? '', 'needs');
  reader.check.add(path, `The tasks wait for each other: ${cycle.join(' -> ')}`);
}
