import { canonicalJson } from '../../../base/json.ts';
import type { BundleConnector } from '../../../language/bundle/bundle.ts';
import { type ConnectorRow, secretNamesOf } from '../../connectors/connector.ts';
import { taskNamesOf } from '../../job-templates/node-problems.ts';
import { toStub } from '../connector-stub.ts';
import { namesInstead, takeFreeName } from './free-name.ts';
import type { Target, TargetNames } from './import-target.ts';
import type { ImportOptions, ParsedBundle, StubProblems } from './plan-input.ts';
import {
  BLOCKING,
  type ConnectorItem,
  type Decision,
  decide,
  decision,
  isWritten,
  type PlanItem,
  type TaskItem,
} from './plan-item.ts';
import { planDashboards, planTemplates } from './plan-templates.ts';
import { isSame, noSuchType, takenNames, UNPARSED, withProblems } from './plan-text.ts';

/** The names that a plan of the bundle reads. */
export function namesOf({ bundle, templates }: ParsedBundle, { conflict }: ImportOptions): TargetNames {
  const also = (names: readonly string[]) =>
    conflict === 'rename' ? [...names, ...names.flatMap(namesInstead)] : names;
  const named = [...templates.values()].flatMap((parsed) => (parsed.ok ? taskNamesOf(parsed.info) : []));
  return {
    connectors: [...new Set(also(bundle.connectors.map(({ name }) => name)))],
    tasks: [...new Set([...also(bundle.tasks.map(({ name }) => name)), ...named])],
    templates: [...new Set(also(bundle.job_templates.map(({ name }) => name)))],
  };
}

/** The action of an import for each connector and definition, in order. */
export function planImport(
  parsed: ParsedBundle,
  options: ImportOptions,
  target: Target,
  stubProblems: StubProblems,
): PlanItem[] {
  const connectors = planConnectors(parsed, options, target, stubProblems);
  const tasks = planTasks(parsed, options, target, stubProblems);
  const types = new Set(target.connectorTypes);
  for (const item of connectors) if (isWritten(item)) types.add(item.connector.type);
  const after = { tasks: tasksAfter(tasks, target), types, isKnown: isKnownType(stubProblems) };
  const templates = planTemplates(parsed, options, target, after);
  const dashboards = templates.flatMap((template) => planDashboards(template, parsed, options, target));
  return [...connectors, ...tasks, ...templates, ...dashboards];
}

/** Whether an import may create the connector. Existing ones are never changed. */
export function mayCreate(
  { name, type }: BundleConnector,
  { conflict, connectorMissing }: ImportOptions,
  target: Target,
): boolean {
  const existing = target.connectors.get(name);
  if (existing === undefined) return connectorMissing !== 'fail';
  return existing.type !== type && conflict === 'rename';
}

function planConnectors(
  { bundle }: ParsedBundle,
  { conflict, connectorMissing }: ImportOptions,
  target: Target,
  stubProblems: StubProblems,
): ConnectorItem[] {
  const taken = takenNames(target.connectors, bundle.connectors);
  return bundle.connectors.map((connector) => {
    const { name, type, config, secrets } = connector;
    const existing = target.connectors.get(name) ?? null;
    const found = (): Decision => {
      if (existing !== null && existing.type === type) return kept(connector, existing);
      const wanted = decide(conflict === 'update' ? 'fail' : conflict, {
        noun: 'connector',
        name,
        exists: existing !== null,
        same: false,
        rename: () => takeFreeName(name, taken),
      });
      return wanted.action === 'create' ? created(wanted) : wanted;
    };
    const created = (wanted: Decision): Decision => {
      const problems = stubProblems(type, config, secrets);
      if (problems === null) return decision('missing_dependency', [noSuchType(type, 'type')]);
      if (connectorMissing === 'fail') {
        const message = `There is no connector "${name}" here: create it, or let the import create it without its secrets ("connector_missing": "stub")`;
        return decision('missing_dependency', [{ path: 'name', message }]);
      }
      if (problems.length > 0) return decision('invalid', problems);
      const message = `It is created without its secrets (${secrets.join(', ')}): runs fail until they are set`;
      return { ...wanted, warnings: secrets.length === 0 ? [] : [{ path: 'secrets', message }] };
    };
    return { kind: 'connector', name, connector, existing, ...found() };
  });
}

/** A connector belongs to its server: its host and secrets are rarely right on another. */
function kept(connector: BundleConnector, existing: ConnectorRow): Decision {
  const here = toStub(existing);
  const { set } = secretNamesOf(existing);
  const open = connector.secrets.filter((key) => !set.includes(key));
  const missing = `Its secrets still have to be set: ${open.join(', ')}`;
  const warnings = open.length === 0 ? [] : [{ path: 'secrets', message: missing }];
  const textOf = ({ config, description }: BundleConnector) => canonicalJson([config, description]);
  if (textOf(here) === textOf(connector)) return { ...decision('unchanged'), warnings };
  const message =
    'It is kept unchanged: connectors belong to their server, and an import does not change them';
  return { ...decision('skip'), warnings: [{ path: '', message }, ...warnings] };
}

function isKnownType(stubProblems: StubProblems) {
  return (type: string) => stubProblems(type, {}, []) !== null;
}

function planTasks(
  { bundle, tasks, templates }: ParsedBundle,
  { conflict }: ImportOptions,
  target: Target,
  stubProblems: StubProblems,
): TaskItem[] {
  const taken = takenNames(target.tasks, bundle.tasks);
  const isKnown = isKnownType(stubProblems);
  return bundle.tasks.map((definition) => {
    const { name } = definition;
    const parsed = tasks.get(definition) ?? UNPARSED;
    const existing = target.tasks.get(name) ?? null;
    const wanted = decide(conflict, {
      noun: 'task',
      name,
      exists: existing !== null,
      same: isSame(existing, definition, parsed),
      rename: () => {
        const users = [...templates].filter(([, each]) => each.ok && taskNamesOf(each.info).includes(name));
        if (users.length === 0) return takeFreeName(name, taken);
        const [first] = users.map(([template]) => template.name);
        const problem = `The job template "${first}" of the bundle names it, and an import does not change texts: choose "update" or "skip"`;
        return { problem };
      },
    });
    const types = parsed.ok ? Object.values(parsed.info.connectors).map(({ type }) => type) : [];
    const unknown = [...new Set(types)].filter((type) => !isKnown(type));
    const settled = withProblems(wanted, parsed, unknown);
    return { kind: 'task', name, definition, parsed, existing, ...settled };
  });
}

/** The future tasks, for the templates that name them. */
function tasksAfter(items: readonly TaskItem[], target: Target) {
  const after = new Map([...target.tasks].map(([name, { connectors }]) => [name, { name, connectors }]));
  for (const { name, renameTo, action, parsed } of items) {
    const written = isWritten({ action }) && renameTo === null;
    // A blocked one counts as present: it reports its problem itself.
    const stands = written || BLOCKING.has(action);
    if (stands && parsed.ok) after.set(name, { name, connectors: parsed.info.connectors });
    else if (stands && !after.has(name)) after.set(name, { name, connectors: {} });
  }
  return after;
}
