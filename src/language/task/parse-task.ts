import type { Problem } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { type DocumentCheck, parseDocument } from '../yaml/document-check.ts';
import { readHeader } from '../yaml/header-reader.ts';
import { type MapReader, readMap } from '../yaml/map-reader.ts';
import type { YamlLimits } from '../yaml/yaml-guard.ts';
import { readArguments } from './argument-spec.ts';
import { linkSteps, type PlacedStep } from './link-steps.ts';
import { NO_RETRY, readRetry } from './retry-policy.ts';
import { readStep } from './steps/read-step.ts';
import type { Task } from './task.ts';
import { readTaskConcurrency } from './task-concurrency.ts';
import { readTaskMetrics } from './task-metrics.ts';
import { readTaskTests } from './task-tests.ts';

export type ParsedTask =
  | { readonly ok: true; readonly task: Task }
  | { readonly ok: false; readonly problems: readonly Problem[] };

const STEPS_MAX = 200;

const TASK_KEYS = {
  keys: [
    'version',
    'name',
    'description',
    'labels',
    'connectors',
    'args',
    'timeout',
    'deadline',
    'retry',
    'concurrency',
    'metrics',
    'steps',
    'tests',
  ],
  later: ['defaults', 'on_failure', 'finally', 'outputs'],
};

const EMPTY_TASK: Task = {
  version: 1,
  name: '',
  description: null,
  labels: {},
  connectors: {},
  args: {},
  timeoutMs: null,
  deadlineMs: null,
  concurrency: null,
  retry: NO_RETRY,
  metrics: null,
  steps: [],
  tests: [],
};

/**
 * Parses a task's YAML and compiles every expression in it. Never throws: all problems come at once, each with path, line and
 * column. A key, kind or operation that the language has but this version has not is named as not supported.
 */
export function parseTask(text: string, limits: Partial<YamlLimits> = {}): ParsedTask {
  const parsed = parseDocument(text, readTask, limits);
  return parsed.ok ? { ok: true, task: parsed.value } : parsed;
}

function readTask(check: DocumentCheck, value: unknown): Task {
  const reader = readMap(check, value, [], TASK_KEYS);
  if (reader === null) return EMPTY_TASK;
  const connectors = readConnectors(reader);
  const task = {
    ...readHeader(reader),
    connectors,
    args: readArguments(reader),
    timeoutMs: reader.duration('timeout'),
    deadlineMs: reader.duration('deadline'),
    concurrency: readTaskConcurrency(reader),
    retry: readRetry(reader, NO_RETRY),
    metrics: readTaskMetrics(reader),
    steps: readSteps(reader, connectors),
  };
  return { ...task, tests: readTaskTests(reader, task.steps) };
}

function readConnectors(reader: MapReader): Task['connectors'] {
  const connectors: Record<string, { type: string }> = {};
  for (const [name, value] of reader.entries('connectors', 'word')) {
    const connector = readMap(reader.check, value, reader.at('connectors', name), { keys: ['type'] });
    // A connector whose type is wrong is declared all the same: steps that name it are right.
    connectors[name] = { type: connector?.name('type', 'word', { required: true }) ?? '' };
  }
  return connectors;
}

function readSteps(reader: MapReader, connectors: Task['connectors']): Task['steps'] {
  const list = reader.list('steps', { required: true, max: STEPS_MAX });
  if (list?.length === 0) reader.wrong('steps', '"steps" must not be empty');
  const placed: PlacedStep[] = [];
  const unread = new Set<string>();
  for (const [index, item] of (list ?? []).entries()) {
    const path = reader.at('steps', index);
    const step = readStep(reader.check, item, path, { connectors });
    if (step !== null) placed.push({ step, path });
    else if (isRecord(item) && typeof item['id'] === 'string') unread.add(item['id']);
  }
  return linkSteps(reader.check, placed, unread);
}
