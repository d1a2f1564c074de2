import pMap from 'p-map';
import type { Clock } from '../../../base/clock.ts';
import { AppError, joinProblems, type Problem, validationError } from '../../../base/errors.ts';
import { sha256 } from '../../../base/ids.ts';
import { canonicalJson } from '../../../base/json.ts';
import type { Bundle } from '../../../language/bundle/bundle.ts';
import type { Store } from '../../../store/store.ts';
import type { Parsed } from '../../../threads/messages/calls.ts';
import type { Actor } from '../../audit/audit.ts';
import { insertAudit } from '../../audit/audit-store.ts';
import type { Connectors } from '../../connectors/connector-service.ts';
import type { ParseDashboard } from '../../dashboard-templates/dashboard-template.ts';
import type { CheckNodes, ParseTemplate } from '../../job-templates/job-template-service.ts';
import { taskNamesOf } from '../../job-templates/node-problems.ts';
import type { ParseTask } from '../../tasks/task-service.ts';
import { selectTasksByName } from '../../tasks/task-store.ts';
import { type Applied, type ApplyDeps, applyPlan } from './import-apply.ts';
import { mayCreate, namesOf, planImport } from './import-plan.ts';
import { marksOf, readTarget, type Target } from './import-target.ts';
import type { ImportOptions, ParsedBundle, StubProblems } from './plan-input.ts';
import { BLOCKING, ITEM_ACTIONS, type ItemAction, type ParsedTemplate, type PlanItem } from './plan-item.ts';

/** An unparsed bundle: YAML, or the bytes of a zip. */
export type BundleText = { readonly yaml: string } | { readonly zip: Uint8Array };

/** Reads a bundle in the worker host, where no content can stop the control plane. */
export type ParseBundle = (text: BundleText) => Promise<Parsed<{ bundle: Bundle }>>;

export interface ImportRequest extends ImportOptions {
  readonly text: BundleText;
  readonly select: SelectFromBundle | null;
}

export interface ImportsDeps extends ApplyDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly parseBundle: ParseBundle;
  readonly parseTask: ParseTask;
  readonly parseTemplate: ParseTemplate;
  readonly checkNodes: CheckNodes;
  readonly parseDashboard: ParseDashboard;
  readonly connectors: Pick<Connectors, 'createStubInside' | 'problemsOfStub' | 'checkOfStub' | 'hasType'>;
}

export interface ImportPlan {
  /** Hash of the bundle, the options, and everything that the plan read here: the same hash does the same. */
  readonly hash: string;
  readonly items: readonly PlanItem[];
  readonly summary: Readonly<Record<ItemAction, number>>;
  /** Whether it can be applied. */
  readonly applicable: boolean;
  readonly request: ImportRequest;
  readonly parsed: ParsedBundle;
  readonly marks: string;
}

export type Imports = ReturnType<typeof createImports>;

const PARSED_AT_ONCE = { concurrency: 4 };
const DETAILS_MAX = 200;

/** Something that the plan read has changed; the transaction is rolled back. */
class TargetChanged extends Error {}

/** Imports bundles of definitions: first a plan, then exactly that plan or nothing. */
export function createImports(deps: ImportsDeps) {
  const { store, clock } = deps;
  /** What a plan refuses in connectors, with that which programs say of the configurations of those that it may create. */
  async function stubProblemsOf(
    { bundle }: ParsedBundle,
    options: ImportOptions,
    target: Target,
  ): Promise<StubProblems> {
    const { connectors } = deps;
    const checks = new Map(
      await pMap(
        bundle.connectors.filter((connector) => mayCreate(connector, options, target)),
        async ({ type, config }) => [config, await connectors.checkOfStub({ type, config })] as const,
        PARSED_AT_ONCE,
      ),
    );
    return (type, config, secrets) =>
      connectors.hasType(type)
        ? connectors.problemsOfStub({ type, config }, secrets, checks.get(config))
        : null;
  }

  /** The plan of an import; changes nothing. `VALIDATION_ERROR` has every problem of the bundle's form. */
  async function plan(request: ImportRequest): Promise<ImportPlan> {
    const read = await deps.parseBundle(request.text);
    if (!read.ok) throw validationError(read.problems);
    return planOf(request, await parseTexts(deps, selectFrom(read.bundle, request.select), request));
  }

  async function planOf(request: ImportRequest, parsed: ParsedBundle): Promise<ImportPlan> {
    const names = namesOf(parsed, request);
    const target = await store.snapshot((db) => readTarget(db, names));
    const items = planImport(parsed, request, target, await stubProblemsOf(parsed, request, target));
    const marks = marksOf(target);
    const { conflict, connectorMissing } = request;
    const hash = sha256(canonicalJson([parsed.bundle, conflict, connectorMissing, marks]));
    const applicable = items.every(({ action }) => !BLOCKING.has(action));
    return { hash, items, summary: countActions(items), applicable, request, parsed, marks };
  }

  /**
   * Applies the plan, all or nothing. `CONFLICT` if `expectedHash` is another plan's, or something that it read changes
   * meanwhile: the details are the new plan. `UNPROCESSABLE` if an item blocks it.
   */
  async function apply(
    planned: ImportPlan,
    expectedHash: string,
    actor: Actor,
  ): Promise<ReadonlyMap<PlanItem, Applied>> {
    if (planned.hash !== expectedHash) throw otherPlan(planned);
    if (!planned.applicable) throw blocked(planned);
    try {
      return await store.write(async (tx) => {
        await store.dialect.allowLong(tx);
        const target = await readTarget(
          tx,
          namesOf(planned.parsed, planned.request),
          store.dialect.forUpdate,
        );
        if (marksOf(target) !== planned.marks) throw new TargetChanged();
        const origin = { bundle: planned.hash };
        const applied = await applyPlan(tx, planned.items, deps, actor, origin);
        const { conflict, connectorMissing } = planned.request;
        const diff = { ...planned.summary, conflict, connector_missing: connectorMissing };
        const entry = {
          action: 'bundle.import',
          resourceType: 'bundle',
          resourceId: planned.hash,
          diff,
        };
        await insertAudit(tx, actor, entry, clock.now());
        return applied;
      }, 'bundle-import');
    } catch (error) {
      if (!(error instanceof TargetChanged)) throw error;
      throw otherPlan(await planOf(planned.request, planned.parsed));
    }
  }

  return { plan, apply };
}

/** Every text of the bundle, through the same parsers as in the API. */
async function parseTexts(deps: ImportsDeps, bundle: Bundle, options: ImportOptions): Promise<ParsedBundle> {
  const { parseTask, parseDashboard } = deps;
  const tasks = new Map(
    await pMap(bundle.tasks, async (task) => [task, await parseTask(task.yaml)] as const, PARSED_AT_ONCE),
  );
  const templates = new Map(
    await pMap(
      bundle.job_templates,
      async (template) => [template, await parseTemplateOf(deps, template.yaml, bundle, options)] as const,
      PARSED_AT_ONCE,
    ),
  );
  const dashboards = bundle.job_templates.flatMap((template) =>
    template.dashboard_templates.map((dashboard) => ({ dashboard, parsed: templates.get(template) })),
  );
  return {
    bundle,
    tasks,
    templates,
    dashboards: new Map(
      await pMap(
        dashboards,
        async ({ dashboard, parsed }) => {
          const saving = { template: parsed?.ok ? parsed.info : null };
          const read = await parseDashboard(dashboard.yaml, null, saving);
          return [dashboard, read.ok ? [] : read.problems] as const;
        },
        PARSED_AT_ONCE,
      ),
    ),
  };
}

/** Held against the tasks as they will be: those of the bundle, and of the others those that are there. */
async function parseTemplateOf(
  { store, parseTemplate, checkNodes }: ImportsDeps,
  yaml: string,
  bundle: Bundle,
  { conflict }: ImportOptions,
): Promise<ParsedTemplate> {
  const parsed = await parseTemplate(yaml);
  if (!parsed.ok) return parsed;
  const stored = (await selectTasksByName(store.read, taskNamesOf(parsed.info))).map(
    ({ name, yaml_content }) => ({ name, yaml: yaml_content }),
  );
  // The last of a name counts.
  const tasks = conflict === 'skip' ? [...bundle.tasks, ...stored] : [...stored, ...bundle.tasks];
  const { problems } = await checkNodes(
    yaml,
    tasks.map(({ name, yaml }) => ({ name, yaml })),
    [],
  );
  return problems.length === 0 ? parsed : { ok: false, problems };
}

function countActions(items: readonly PlanItem[]): Record<ItemAction, number> {
  const count = (action: ItemAction) => items.filter((item) => item.action === action).length;
  return Object.fromEntries(ITEM_ACTIONS.map((action) => [action, count(action)])) as Record<
    ItemAction,
    number
  >;
}

function otherPlan(planned: ImportPlan): AppError {
  const message =
    'The plan is out of date: the bundle, the options or the existing definitions have changed; review the new plan ("dry_run") and apply that';
  const details = planned.items
    .filter(({ action }) => action !== 'unchanged')
    .map((item) => ({ path: placeOf(item), message: wordsOf(item) }));
  return new AppError('CONFLICT', message, { details: cut(details) });
}

function wordsOf({ action, existing, renameTo }: PlanItem): string {
  const version = existing === null ? '' : `, at version ${existing.version} here`;
  return `Now: ${action}${renameTo === null ? '' : ` as "${renameTo}"`}${version}`;
}

function blocked(planned: ImportPlan): AppError {
  const details = planned.items
    .filter(({ action }) => BLOCKING.has(action))
    .flatMap((item) => {
      const place = placeOf(item);
      return item.problems.map((problem) => ({ ...problem, path: `${place} ${problem.path}`.trim() }));
    });
  const message = `Nothing was imported. ${joinProblems(details.map((one) => `${one.path}: ${one.message}`))}`;
  return new AppError('UNPROCESSABLE', message, { details: cut(details) });
}

/** `task "copy"`. */
function placeOf(item: PlanItem): string {
  const place = `${item.kind} "${item.name}"`;
  return item.kind === 'dashboard_template' ? `${place} of "${item.template.name}"` : place;
}

function cut(details: readonly Problem[]): readonly Problem[] {
  const more = details.length - DETAILS_MAX;
  if (more <= 0) return details;
  return [...details.slice(0, DETAILS_MAX), { path: '', message: `And ${more} more` }];
}

/** The names to import from a bundle; nothing of a kind that is left out. */
interface SelectFromBundle {
  readonly connectors?: readonly string[] | undefined;
  readonly tasks?: readonly string[] | undefined;
  /** With their dashboard templates. */
  readonly job_templates?: readonly string[] | undefined;
}

/** The selected part of a bundle; all of it for null. `VALIDATION_ERROR` names what the bundle does not have. */
function selectFrom(bundle: Bundle, select: SelectFromBundle | null): Bundle {
  if (select === null) return bundle;
  const problems: Problem[] = [];
  const pick = <T extends { readonly name: string }>(
    key: keyof SelectFromBundle,
    items: readonly T[],
  ): readonly T[] => {
    const byName = new Map(items.map((item) => [item.name, item]));
    return [...new Set(select[key])].flatMap((name) => {
      const item = byName.get(name);
      if (item === undefined)
        problems.push({ path: `select.${key}`, message: `The bundle has no "${name}" under "${key}"` });
      return item ?? [];
    });
  };
  const picked = {
    connectors: pick('connectors', bundle.connectors),
    tasks: pick('tasks', bundle.tasks),
    job_templates: pick('job_templates', bundle.job_templates),
  };
  if (problems.length > 0) throw validationError(problems);
  return picked;
}
