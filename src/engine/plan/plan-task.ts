import type { Problem } from '../../base/errors.ts';
import { withArticle } from '../../base/text/with-article.ts';
import { argumentProblems } from '../../drivers/argument-problems.ts';
import type { Driver, Method } from '../../drivers/driver.ts';
import { loadsAtOnce } from '../../language/task/check-loads.ts';
import { everyStep, type ParsedTask, type Task } from '../../language/task/parse-task.ts';
import { planReplay, type ReplayPlan } from '../../language/task/replay-plan.ts';
import type { CallStep } from '../../language/task/steps/call-step.ts';
import { callersConnector, childProblems } from '../../language/task/steps/control/child-tasks.ts';
import type { RunTaskStep } from '../../language/task/steps/control/run-task-step.ts';
import type { ExtractStep } from '../../language/task/steps/extract-step.ts';
import type { LoadStep } from '../../language/task/steps/load/load-step.ts';
import { sourcesIn } from '../../language/task/steps/step-sources.ts';
import { type Step, stepsInside } from '../../language/task/steps/steps.ts';
import { isFanOut } from '../../language/template/fan-out.ts';
import { formatPath } from '../../language/yaml/yaml-path.ts';
import type { MappedField } from '../ops/field-mapping.ts';
import type { RunInput } from '../run.ts';
import type { RunContext } from '../run-context.ts';
import { checkLookup } from './check-lookup.ts';
import { extractProblems } from './extract-problems.ts';
import { groupBodies, onlySteps, type Unit, unitSteps } from './group-steps.ts';
import { readMapping } from './read-mapping.ts';
import { resolveArguments } from './resolve-arguments.ts';

export interface PlannedConnector {
  readonly driver: Driver;
  readonly config: unknown;
}

/** A task that was checked against what this run gives it. Nothing has happened yet. */
export interface TaskPlan {
  readonly task: Task;
  readonly args: Readonly<Record<string, unknown>>;
  readonly connectors: ReadonlyMap<string, PlannedConnector>;
  readonly mappings: ReadonlyMap<string, readonly MappedField[]>;
  /** In the order in which they run. */
  readonly units: readonly Unit[];
  /** The same of each list of steps, those inside steps included. */
  readonly bodies: ReadonlyMap<readonly Step[], readonly Unit[]>;
  /** The sources of all its expressions, as JSON: what none of them names need not be kept. */
  readonly sources: string;
  /** By `run_task` step. */
  readonly children: ReadonlyMap<string, ChildPlan>;
}

/** What a `run_task` step runs; `args` of its plan are rendered when the step begins. */
export interface ChildPlan {
  readonly plan: TaskPlan;
  readonly connectors: RunInput['connectors'];
  /** Its local connector names to those of the task with the step. */
  readonly callers: Readonly<Record<string, string>>;
}

export type Planned =
  | { readonly ok: true; readonly plan: TaskPlan }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Checks all that can be known before the first side effect, and tells every problem at once. */
export function planTask(input: RunInput, context: Pick<RunContext, 'drivers'>): Planned {
  if (!input.parsed.ok) return input.parsed;
  const { task } = input.parsed;
  const problems: Problem[] = [];
  const args = resolveArguments(task.args, input.args, problems);
  // One that stands for a node has the name of the node's task, and does not run itself.
  const own = isFanOut(task) ? '' : task.name;
  for (const { path, message, isOfSaving } of childProblems(own, task, (name) => taskNamed(input, name)))
    if (isOfSaving !== true) problems.push({ path: formatPath(path), message });
  const isSound = problems.length === 0;
  const plan = planSteps(task, args, input, context, problems, isSound);
  const replayed =
    (input.replay ?? null) === null
      ? null
      : planReplay(task, input.replay?.step_id ?? '', (name) => taskNamed(input, name));
  if (replayed?.ok === false) problems.push({ path: 'steps', message: replayed.message });
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, plan: replayed?.ok ? ofReplay(plan, replayed) : plan };
}

/** What of a plan a replay runs. */
function ofReplay(plan: TaskPlan, { steps, inside }: Extract<ReplayPlan, { ok: true }>): TaskPlan {
  const units = onlySteps(plan.units, steps);
  const child = inside === null ? undefined : plan.children.get(inside.id);
  if (inside === null || child === undefined) return { ...plan, units };
  const children = new Map(plan.children);
  children.set(inside.id, { ...child, plan: ofReplay(child.plan, inside.plan) });
  return { ...plan, units, children };
}

function planSteps(
  task: Task,
  args: TaskPlan['args'],
  input: Pick<RunInput, 'connectors' | 'jobConfig' | 'tasks'>,
  context: Pick<RunContext, 'drivers'>,
  problems: Problem[],
  withChildren: boolean,
): TaskPlan {
  const connectors = planConnectors(task, input, context, problems);
  const mappings = new Map<string, readonly MappedField[]>();
  const steps = everyStep(task);
  for (const step of steps) {
    checkStep(step, connectors, problems);
    if (step.kind !== 'transform') continue;
    for (const op of step.ops) {
      if (op.op === 'lookup') checkLookup(step.id, op, connectors.get(op.connector)?.driver, problems);
      if (op.op !== 'mapping' || mappings.has(op.configKey)) continue;
      mappings.set(op.configKey, readMapping(op.configKey, input.jobConfig[op.configKey], problems));
    }
  }
  problems.push(...extractProblems(task, steps, connectors));
  const bodies = groupBodies([task.steps, task.onFailure, task.finally], problems);
  const units = bodies.get(task.steps) ?? [];
  for (const unit of [...bodies.values()].flat()) {
    checkStreamedNames(unit, problems);
    checkLoadsAtOnce(unit, connectors, problems);
  }
  const sources = JSON.stringify(sourcesIn(task));
  const children = new Map<string, ChildPlan>();
  for (const step of withChildren ? steps : [])
    if (step.kind === 'run_task') children.set(step.id, planChild(step, input, context, problems));
  return { task, args, connectors, mappings, units, bodies, sources, children };
}

/** The task of a `run_task` step with the caller's connectors under its own names; `childProblems` has found nothing in it. */
function planChild(
  step: RunTaskStep,
  input: Pick<RunInput, 'connectors' | 'jobConfig' | 'tasks'>,
  context: Pick<RunContext, 'drivers'>,
  problems: Problem[],
): ChildPlan {
  const parsed = taskNamed(input, step.task);
  if (parsed?.ok !== true) throw new Error(`There is no task "${step.task}"`);
  const { task } = parsed;
  const callers = Object.fromEntries(
    Object.keys(task.connectors).map((local) => [local, callersConnector(step, local)]),
  );
  const given = Object.entries(callers).flatMap(([local, name]) => {
    const connector = Object.hasOwn(input.connectors, name) ? input.connectors[name] : undefined;
    return connector === undefined ? [] : [[local, connector] as const];
  });
  const connectors = Object.fromEntries(given);
  const found: Problem[] = [];
  const plan = planSteps(task, {}, { ...input, connectors }, context, found, true);
  for (const { message } of found)
    problems.push({
      path: `steps.${step.id}.task`,
      message: `The task "${step.task}" cannot run: ${message}`,
    });
  return { plan, connectors, callers };
}

function taskNamed({ tasks = {} }: Pick<RunInput, 'tasks'>, name: string): ParsedTask | undefined {
  return Object.hasOwn(tasks, name) ? tasks[name] : undefined;
}

function planConnectors(
  task: Task,
  input: Pick<RunInput, 'connectors'>,
  context: Pick<RunContext, 'drivers'>,
  problems: Problem[],
): Map<string, PlannedConnector> {
  const planned = new Map<string, PlannedConnector>();
  for (const [name, { type }] of Object.entries(task.connectors)) {
    const path = `connectors.${name}`;
    const given = Object.hasOwn(input.connectors, name) ? input.connectors[name] : undefined;
    const driver = context.drivers.get(type);
    if (given === undefined) {
      problems.push({ path, message: `No connector is given for "${name}" (type ${type})` });
    } else if (given.type !== type) {
      problems.push({
        path,
        message: `The connector "${given.name}" for "${name}" is ${given.type}, not ${type}`,
      });
    } else if (driver === undefined) {
      problems.push({ path, message: `This executor has no driver for the connector type "${type}"` });
    } else if (!driver.config.safeParse(given.config).success) {
      problems.push({
        path,
        message: `The configuration of the connector "${given.name}" is not valid for ${type}`,
      });
    } else {
      planned.set(name, { driver, config: given.config });
    }
  }
  return planned;
}

function checkStep(step: Step, connectors: ReadonlyMap<string, PlannedConnector>, problems: Problem[]): void {
  if (step.kind !== 'extract' && step.kind !== 'call' && step.kind !== 'load') return;
  const driver = connectors.get(step.connector)?.driver;
  if (driver === undefined) return;
  if (step.kind === 'load') checkLoad(step, driver, problems);
  else checkMethod(step, driver, problems);
}

function checkLoad(step: LoadStep, driver: Driver, problems: Problem[]): void {
  if (step.deleteMissing !== null && driver.capabilities.deletesMissing !== true)
    problems.push({
      path: `steps.${step.id}.delete_missing`,
      message: `${withArticle(driver.type)} connector cannot detect rows that are missing from the source`,
    });
  if (step.newTypes !== null && driver.capabilities.typedColumns !== true)
    problems.push({
      path: `steps.${step.id}.schema.types`,
      message: `The columns of a ${driver.type} connector have no types`,
    });
  else if (step.newTypes === 'evolve' && driver.widening === undefined)
    problems.push({
      path: `steps.${step.id}.schema.types`,
      message: `${withArticle(driver.type)} connector cannot give a column a wider type`,
    });
  if (driver.capabilities.write.includes(step.mode)) return;
  const modes = driver.capabilities.write.join(', ') || 'none';
  problems.push({
    path: `steps.${step.id}.mode`,
    message: `${withArticle(driver.type)} connector cannot load with mode "${step.mode}" (supported: ${modes})`,
  });
}

function checkMethod(step: ExtractStep | CallStep, driver: Driver, problems: Problem[]): void {
  const method = driver.methods.find((known) => known.name === step.method);
  const path = `steps.${step.id}.method`;
  if (method === undefined) {
    const names = driver.methods.map((known) => known.name).join(', ');
    problems.push({
      path,
      message: `${withArticle(driver.type)} connector has no method "${step.method}" (available: ${names})`,
    });
  } else if (step.kind === 'extract' && method.kind !== 'rows') {
    problems.push({ path, message: `The method "${step.method}" returns no rows; use it in a call step` });
  } else if (step.kind === 'call' && method.kind === 'rows') {
    problems.push({ path, message: `The method "${step.method}" returns rows; use it in an extract step` });
  } else {
    checkArguments(step, method, problems);
  }
}

/** Arguments without expressions are known now; the others are checked by the driver when they are rendered. */
function checkArguments(step: ExtractStep | CallStep, method: Method, problems: Problem[]): void {
  if (step.args.names.size > 0) return;
  for (const { path, message } of argumentProblems(method, step.args.source, () => 'itself'))
    problems.push({
      path: [`steps.${step.id}.args`, ...path.map(String)].join('.'),
      message: `The step "${step.id}": ${message}`,
    });
}

function checkLoadsAtOnce(
  unit: Unit,
  connectors: ReadonlyMap<string, PlannedConnector>,
  problems: Problem[],
): void {
  const takesOne = (name: string) => connectors.get(name)?.driver.capabilities.oneLoadAtOnce === true;
  for (const { step, message } of loadsAtOnce(unitSteps(unit), takesOne, stepsInside))
    problems.push({ path: `steps.${step.id}`, message });
}

/**
 * Inside a pipeline no count is known before its end, so what is evaluated at its start must not read one: it would quietly
 * find nothing.
 */
function checkStreamedNames(unit: Unit, problems: Problem[]): void {
  const steps = unitSteps(unit);
  const ids = new Set(steps.map((step) => step.id));
  for (const step of steps) {
    const texts = [step.when?.source ?? ''];
    if (step.kind === 'extract') texts.push(JSON.stringify(step.args.source ?? null));
    if (step.kind === 'load') texts.push(JSON.stringify(step.object.source ?? null));
    if (step.kind === 'script')
      texts.push(...Object.values(step.args).map(({ source }) => JSON.stringify(source ?? null)));
    if (step.kind === 'transform') texts.push(...step.ops.flatMap(opSources));
    for (const match of texts.join('\n').matchAll(/\bsteps\.([A-Za-z0-9_-]+)/g)) {
      const id = match[1] ?? '';
      if (!ids.has(id) || unit.kind === 'single') continue;
      problems.push({
        path: `steps.${step.id}`,
        message: `"${step.id}" reads "steps.${id}", which runs at the same time and has no result yet`,
      });
    }
  }
}

function opSources(op: Extract<Step, { kind: 'transform' }>['ops'][number]): string[] {
  if (op.op === 'filter') return [op.expr.source];
  if (op.op === 'lookup') return [JSON.stringify(op.args.source ?? null)];
  return op.op === 'map' || op.op === 'set' ? op.fields.map((field) => field.expr.source) : [];
}
