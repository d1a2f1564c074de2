import { isRecord } from '../../base/json.ts';
import { parseTask } from '../../language/task/parse-task.ts';
import type { ExtractStep } from '../../language/task/steps/extract-step.ts';
import { EMPTYING_MODES, type LoadStep } from '../../language/task/steps/load/load-step.ts';
import { loadYaml } from '../../language/yaml/load-yaml.ts';
import { CommandError } from '../kit/command-error.ts';
import { EXIT } from '../kit/exit-code.ts';
import { readDocument } from '../kit/read-document.ts';
import { readTask } from '../kit/script-files.ts';

/**
 * A task that compares what a load of the task in `file` has written with what its extract reads. Throws `CommandError` where that is no
 * plain comparison.
 */
export function verifiedTask(
  file: string,
  stepId: string | null,
  asked: Readonly<Record<string, unknown>>,
): object {
  const parsed = parseTask(readTask(file));
  if (!parsed.ok) {
    const [problem] = parsed.problems;
    throw failed(`${file}:${problem?.line ?? 1}:${problem?.column ?? 1}: ${problem?.message}`);
  }
  const { task } = parsed;
  const loads = task.steps.filter((step): step is LoadStep => step.kind === 'load');
  const load = stepId === null ? loads[0] : loads.find(({ id }) => id === stepId);
  const ids = loads.map(({ id }) => id).join(', ') || 'none';
  if (load === undefined)
    throw failed(`The task has no load ${stepId === null ? '' : `"${stepId}" `}(loads: ${ids})`);
  if (stepId === null && loads.length > 1)
    throw failed(`The task has several loads: choose one with --step (${ids})`);
  const extract = task.steps.find(
    (step): step is ExtractStep => step.kind === 'extract' && step.id === load.input,
  );
  if (extract === undefined)
    throw failed(
      `The rows of "${load.id}" are changed on their way: give the load "verify: true", which compares them as they are loaded`,
    );
  const key = asked['key'] ?? load.key;
  if (Array.isArray(key) && key.length === 0)
    throw failed(`The load "${load.id}" has no "key": name the columns that identify a row with --key`);
  const { connector, method, args } = extract;
  const keepsMore = !EMPTYING_MODES.includes(load.mode) && load.deleteMissing?.action !== 'hard';
  return {
    version: 1,
    name: 'verify',
    connectors: Object.fromEntries(
      [...new Set([connector, load.connector])].map((name) => [name, { type: task.connectors[name]?.type }]),
    ),
    args: argsOf(file),
    steps: [
      {
        id: 'verify',
        kind: 'verify',
        source: { connector, method, args: args.source },
        target: { connector: load.connector, object: load.object.source },
        ...(keepsMore ? { surplus: 'ignore' } : {}),
        ...asked,
        key,
      },
    ],
  };
}

/** As the document declares them. */
function argsOf(file: string): unknown {
  const loaded = loadYaml(readDocument(file));
  const value = loaded.ok ? loaded.document.value : null;
  return isRecord(value) ? (value['args'] ?? {}) : {};
}

function failed(message: string): CommandError {
  return new CommandError(EXIT.failed, message);
}
