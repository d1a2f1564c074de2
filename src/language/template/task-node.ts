import { isRecord } from '../../base/json.ts';
import { readRetry } from '../task/retry-policy.ts';
import { readExpressionKey, readTemplate } from '../yaml/expression-reader.ts';
import { type MapReader, nameProblem, readMap, typeName } from '../yaml/map-reader.ts';
import { NODE_NAMES } from '../yaml/scope-names.ts';
import { didYouMean } from '../yaml/suggest-name.ts';
import type { RunIf, TaskNode } from './template.ts';

const NODE_KEYS = {
  keys: ['task', 'needs', 'connectors', 'args', 'when', 'run_if', 'allow_failure', 'retry', 'timeout'],
  later: ['foreach_expr', 'concurrency'],
};

const RUN_IFS: readonly RunIf[] = ['all_success', 'all_done', 'any_failed', 'none_failed'];

/** Reads `tasks`: the nodes of the DAG, each with references to the template's connectors and to other nodes checked. */
export function readTaskNodes(reader: MapReader, connectors: readonly string[]): Record<string, TaskNode> {
  const nodes: Record<string, TaskNode> = {};
  const entries = reader.entries('tasks', 'key');
  const keys = entries.map(([key]) => key);
  if (!reader.has('tasks')) reader.wrong('tasks', '"tasks" is required');
  else if (isRecord(reader.value('tasks')) && Object.keys(reader.value('tasks') ?? {}).length === 0) {
    reader.wrong('tasks', '"tasks" must not be empty');
  }
  for (const [key, value] of entries) {
    const node = readMap(reader.check, value, reader.at('tasks', key), NODE_KEYS);
    if (node !== null) nodes[key] = readNode(node, key, keys, connectors);
  }
  return nodes;
}

function readNode(
  reader: MapReader,
  key: string,
  keys: readonly string[],
  connectors: readonly string[],
): TaskNode {
  const needs = readNeeds(reader, key, keys);
  const runIf = reader.oneOf('run_if', RUN_IFS) ?? 'all_success';
  if (runIf !== 'all_success' && !reader.has('needs')) reader.idle('run_if', 'the node has no "needs"');
  const args = reader.value('args') ?? {};
  if (!isRecord(args)) reader.wrong('args', `"args" must be a map, not ${typeName(args)}`);
  return {
    key,
    task: reader.text('task', { required: true }) ?? '',
    needs,
    connectors: readConnectorNames(reader, connectors),
    args: readTemplate(reader.check, args, reader.at('args'), NODE_NAMES),
    when: readExpressionKey(reader, 'when', NODE_NAMES),
    runIf,
    allowFailure: reader.flag('allow_failure'),
    retry: readRetry(reader, null),
    timeoutMs: reader.duration('timeout'),
  };
}

function readNeeds(reader: MapReader, key: string, keys: readonly string[]): readonly string[] {
  const needs = reader.names('needs') ?? [];
  return needs.filter((need) => {
    if (need !== key && keys.includes(need)) return true;
    const others = keys.filter((other) => other !== key);
    const message =
      need === key ? `"${key}" cannot need itself` : `There is no task "${need}"${didYouMean(need, others)}`;
    const index = (reader.value('needs') as unknown[]).indexOf(need);
    reader.check.add(reader.at('needs', index), message);
    return false;
  });
}

/** `connectors: {local name: template name}`; a local name that is absent stands for the same name. */
function readConnectorNames(
  reader: MapReader,
  declared: readonly string[],
): Readonly<Record<string, string>> {
  const names: Record<string, string> = {};
  for (const [local, name] of Object.entries(reader.texts('connectors'))) {
    const problem = nameProblem(local, 'word');
    if (problem !== null) reader.check.add(reader.at('connectors', local), problem, 'key');
    if (!declared.includes(name)) {
      const hint = didYouMean(name, declared) || '; declare it under "connectors"';
      reader.check.add(reader.at('connectors', local), `There is no connector "${name}"${hint}`);
    }
    names[local] = name;
  }
  return names;
}
