import type { Clock } from '../../base/clock.ts';
import { isRecord } from '../../base/json.ts';
import { NOTHING_DONE, type RunOutcome } from '../../base/run-report.ts';
import type { Drivers } from '../../drivers/registry.ts';
import { expressionMessage } from '../../engine/expression-message.ts';
import type { RunInput, RunPorts } from '../../engine/run.ts';
import { CLEANUP_MS_MAX } from '../../engine/run-cleanup.ts';
import { runTask } from '../../engine/run-task.ts';
import { ExpressionError, type Scope } from '../../language/expression/expression.ts';
import { parseExpression } from '../../language/expression/parse-expression.ts';
import { parseTemplate } from '../../language/expression/parse-template-string.ts';
import { type ParsedTask, parseTask } from '../../language/task/parse-task.ts';
import { RUN_TASK_DEPTH_MAX } from '../../language/task/steps/control/run-task-depth.ts';
import { fanOut } from '../../language/template/fan-out.ts';
import { isTrue } from '../../language/truth.ts';
import type { RunSpec } from '../../protocol/control-plane.ts';
import type { RunnerJob } from './runner-messages.ts';

export interface RunJobContext {
  readonly ports: RunPorts;
  readonly drivers: Drivers;
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal: AbortSignal;
  /** The task was read; `timeoutMs` is 0 where neither the run nor the task has a timeout. */
  readonly planned: (timeoutMs: number) => void;
}

/** What keeps a run from starting, in the engine's words. */
class Unready extends Error {
  readonly outcome: RunOutcome;

  constructor(outcome: RunOutcome) {
    super(outcome.reason);
    this.outcome = outcome;
  }
}

/** Runs one job to its end: condition, arguments, task. Everything that a user wrote is evaluated in here. */
export async function runJob(job: RunnerJob, context: RunJobContext): Promise<RunOutcome> {
  const { spec } = job;
  const { ports, planned } = context;
  const own = parseTask(spec.yaml);
  const parsed = wholeTask(spec, own);
  const others = Object.entries(spec.tasks).map(([name, yaml]) => [name, parseTask(yaml)] as const);
  if (parsed.ok && parsed !== own) others.push([parsed.task.name, own]);
  planned(timeoutOf(spec, [parsed, ...others.map(([, other]) => other)]));
  let args: RunInput['args'];
  try {
    args = await readyArgs(spec);
  } catch (error) {
    if (!(error instanceof Unready)) throw error;
    const { status, failure } = error.outcome;
    ports.log(
      status === 'skipped' ? 'info' : 'error',
      '',
      failure?.message ?? 'The condition is false: skipped',
    );
    return error.outcome;
  }
  const input: RunInput = {
    parsed,
    args,
    jobConfig: spec.job_config,
    connectors: spec.connectors,
    run: { ...spec.run, id: job.runId, attempt: job.attempt },
    timeoutMs: spec.timeout_ms,
    replay: spec.replay,
    tasks: Object.fromEntries(others),
  };
  const { drivers, clock, random, signal } = context;
  const { connectContext, spillFolder } = job;
  const engineContext = { drivers, connectContext, clock, random, signal, spillFolder };
  if (spec.help === null) return runTask(input, ports, engineContext);
  const { helpWithParts } = await import('../../engine/partition/help-parts.ts');
  return helpWithParts(input, spec.help, ports, engineContext);
}

/** What the run performs: the task of its YAML, or what runs that once for each item. */
function wholeTask({ foreach, args, args_template }: RunSpec, own: ParsedTask): ParsedTask {
  if (foreach === null || !own.ok) return own;
  return fanOut(own.task, { foreach, template: args_template, args });
}

/** The engine keeps to the same limit by itself, as long as nothing blocks it; the executor watches from outside. */
function timeoutOf(spec: RunSpec, texts: readonly ParsedTask[]): number {
  const [parsed] = texts;
  const limits = [spec.timeout_ms, parsed?.ok ? (parsed.task.timeoutMs ?? 0) : 0].filter((ms) => ms > 0);
  if (limits.length === 0) return 0;
  // Each task of those that run one another cleans up after the ones inside it.
  const cleaning = texts.filter((one) => one.ok && one.task.onFailure.length + one.task.finally.length > 0);
  return Math.min(...limits) + Math.min(cleaning.length, RUN_TASK_DEPTH_MAX) * CLEANUP_MS_MAX;
}

/** Throws `Unready` where the condition is false or an expression fails. */
async function readyArgs(spec: RunSpec): Promise<RunInput['args']> {
  const named = Object.entries(spec.connectors).map(([local, { name }]) => [local, name] as const);
  const connectors = Object.fromEntries(named);
  const scope: Scope = { args: spec.args, job_config: spec.job_config, connectors, run: spec.run };
  if (spec.when_expr !== '') {
    const parsed = parseExpression(spec.when_expr);
    if (!parsed.ok)
      throw unready('VALIDATION_ERROR', `The condition cannot be read: ${parsed.problem.message}`);
    const value = await evaluated('condition', () => parsed.expression.evaluate(scope));
    if (!isTrue(value))
      throw new Unready({ ...NOTHING_DONE, args: {}, status: 'skipped', reason: 'condition_false' });
  }
  // Each item has arguments of its own.
  if (spec.foreach !== null) return spec.args;
  if (spec.args_template === null || spec.args_template === undefined) return spec.args;
  const { template, problems } = parseTemplate(spec.args_template, 'args');
  if (problems.length > 0) {
    const text = problems.map(({ path, message }) => `"${path}": ${message}`).join('; ');
    throw unready('VALIDATION_ERROR', `The arguments cannot be read: ${text}`);
  }
  const args = await evaluated('arguments', () => template.render(scope));
  if (isRecord(args)) return args;
  throw unready('VALIDATION_ERROR', 'The arguments must be an object');
}

async function evaluated(what: string, evaluate: () => Promise<unknown>): Promise<unknown> {
  try {
    return await evaluate();
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw unready('EXPRESSION_ERROR', `The ${what} failed: ${expressionMessage(error)}`);
  }
}

function unready(code: string, message: string): Unready {
  const reason = code === 'EXPRESSION_ERROR' ? 'task_error' : 'config_error';
  return new Unready({ ...NOTHING_DONE, status: 'error', reason, failure: { code, message, step_id: '' } });
}
