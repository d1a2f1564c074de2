import { isRecord } from '../../base/json.ts';
import type { RunOutcome } from '../../base/run-report.ts';
import { everyStep, type Task } from '../../language/task/parse-task.ts';
import type { Step } from '../../language/task/steps/steps.ts';
import type { LocalConnector, LocalConnectors } from './local-connectors.ts';

/** Of the messages of drivers, those of a server that is not there; one that is slow or busy is. */
const NO_WAY =
  /cannot be reached|cannot be resolved|did not answer|has this host name|No server of the replica set/;

/**
 * What to do about the failure of a local run, where the command line is the remedy. A server's messages hold neither its flags
 * nor addresses; on this machine both help.
 */
export function hintsOf(
  { failure }: Pick<RunOutcome, 'failure'>,
  task: Task,
  byName: LocalConnectors['byName'],
): string[] {
  if (failure === null) return [];
  const missing = Object.entries(task.connectors).filter(([name]) => !Object.hasOwn(byName, name));
  const step = everyStep(task).find(({ id }) => id === failure.step_id);
  const used = connectorsOf(step).flatMap((name) => byName[name] ?? []);
  if (failure.code === 'CONNECTOR_UNAVAILABLE' && NO_WAY.test(failure.message))
    return used.flatMap(unreachable);
  if (failure.code === 'CONNECTOR_CONFIG' && failure.message.includes('outside the folders'))
    return [
      'Allow its folder with --file-root FOLDER (repeatable); without it, that is the working directory',
    ];
  if (failure.code !== 'VALIDATION_ERROR') return [];
  return missing.map(([name, { type }]) => {
    const what = ['postgres', 'mysql', 'mongodb'].includes(type) ? `${type}://…` : `${type}:PATH`;
    return `Pass "${name}" with --connector ${name}=${what}, or in connectors.yaml`;
  });
}

function connectorsOf(step: Step | undefined): readonly string[] {
  if (step === undefined) return [];
  if ('connector' in step) return [String(step.connector)];
  if (step.kind !== 'transform') return [];
  return step.ops.flatMap((op) => ('connector' in op ? [op.connector] : []));
}

function unreachable({ name, config }: LocalConnector): string[] {
  const address = addressOf(config);
  return address === null
    ? []
    : [`The connector "${name}" points to ${address}: is the server running there?`];
}

/** `host:port`, without user and password. */
function addressOf(config: unknown): string | null {
  if (!isRecord(config)) return null;
  const { url, host, port } = config;
  if (typeof url === 'string') return URL.parse(url)?.host || null;
  return typeof host === 'string' ? [host, port].filter(Boolean).join(':') : null;
}
