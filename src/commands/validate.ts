import { existsSync } from 'node:fs';
import type { Problem } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import { loadConnectorTypes } from '../drivers/registry.ts';
import type { ConnectorTypes } from '../language/connector-types.ts';
import { parseDashboard } from '../language/dashboard/parse-dashboard.ts';
import type { TemplateNames } from '../language/dashboard/template-names.ts';
import { parseTask } from '../language/task/parse-task.ts';
import { runTaskProblems } from '../language/task/steps/control/child-tasks.ts';
import { checkNodes, type TaskText } from '../language/template/check-nodes.ts';
import { parseJobTemplate } from '../language/template/parse-template.ts';
import { loadYaml } from '../language/yaml/load-yaml.ts';
import { type NamedTask, nodeProblems } from '../modules/job-templates/node-problems.ts';
import { childTexts } from './kit/child-files.ts';
import { CommandError } from './kit/command-error.ts';
import { printable } from './kit/command-output.ts';
import { EXIT } from './kit/exit-code.ts';
import { perform } from './kit/perform.ts';
import { readDocument } from './kit/read-document.ts';
import { CONNECTORS_FILE } from './run/connector-sources.ts';
import { localDrivers } from './run/local-drivers.ts';

export const DOCUMENT_KINDS = ['task', 'job-template', 'dashboard'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

export interface ValidateOptions {
  readonly kind?: DocumentKind;
  readonly json: boolean;
  /** Also asks the connectors that are given; the options below say which. */
  readonly online?: boolean;
  readonly connector: readonly string[];
  readonly connectors?: string;
  readonly fileRoot?: readonly string[];
  /** Paths and packages. */
  readonly driver?: readonly string[];
}

/** A file as it was read; `kind` is null where it is none of these. */
interface Document {
  readonly file: string;
  readonly text: string;
  readonly kind: DocumentKind | null;
}

interface Verdict extends Pick<Document, 'file' | 'kind'> {
  readonly problems: readonly Problem[];
}

/** What documents are held against: the connectors of this build, and what was named beside them. */
interface Surroundings {
  readonly connectorTypes: ConnectorTypes;
  readonly tasks: readonly (TaskText & NamedTask)[];
  /** The same, by name. */
  readonly texts: Readonly<Record<string, string>>;
  /** The job template of the dashboards: the only one that was named, or null. */
  readonly template: TemplateNames | null;
}

/** `headgate validate`: every problem of the documents as `file:line:column: message`. Exit code 1 where there is one. */
export async function validate(files: readonly string[], options: ValidateOptions): Promise<number> {
  return perform(options, async (out) => {
    requireOnline(options);
    const connectorTypes = await loadConnectorTypes(await localDrivers({ drivers: options.driver }));
    const documents = files.map((file) => documentOf(file, options.kind));
    const tasks = tasksIn(documents);
    const texts = Object.fromEntries(tasks.map(({ name, yaml }) => [name, yaml]));
    const surroundings = {
      connectorTypes,
      tasks,
      texts,
      template: templateIn(documents),
    };
    const verdicts: Verdict[] = [];
    for (const document of documents) {
      const verdict = verdictOf(document, surroundings);
      const isAsked = options.online === true && document.kind === 'task' && verdict.problems.length === 0;
      verdicts.push(isAsked ? { ...verdict, problems: await askedProblems(document, options) } : verdict);
    }
    const problems = verdicts.reduce((sum, verdict) => sum + verdict.problems.length, 0);
    if (out.isJson) out.json({ ok: problems === 0, files: verdicts });
    for (const { file, kind, problems } of verdicts) {
      if (problems.length === 0) out.line(`${out.paint('green', 'ok')}  ${file} (${kind})`);
      for (const problem of problems) {
        const place = [file, problem.line ?? 1, problem.column ?? 1].join(':');
        out.line(`${place}: ${out.paint('red', 'error')}: ${printable(problem.message)}`);
      }
    }
    return problems === 0 ? EXIT.ok : EXIT.failed;
  });
}

function requireOnline({ online, connector, connectors, fileRoot }: ValidateOptions): void {
  if (online || (connector.length === 0 && connectors === undefined && fileRoot === undefined)) return;
  const message = '--connector, --connectors and --file-root only apply with --online';
  throw new CommandError(EXIT.usage, message);
}

/** The connectors are asked by code that only this takes. */
async function askedProblems(
  { text }: Document,
  { connector, connectors, fileRoot, driver }: ValidateOptions,
): Promise<readonly Problem[]> {
  const { onlineProblems } = await import('./validate/online-problems.ts');
  const file = connectors ?? (existsSync(CONNECTORS_FILE) ? CONNECTORS_FILE : null);
  return onlineProblems(text, {
    file,
    given: connector,
    fileRoots: fileRoot ?? [process.cwd()],
    drivers: driver,
  });
}

function documentOf(file: string, kind: DocumentKind | undefined): Document {
  const text = readDocument(file);
  return { file, text, kind: kind ?? kindOf(text) };
}

function verdictOf({ file, text, kind }: Document, surroundings: Surroundings): Verdict {
  return { file, kind, problems: problemsOf({ file, text, kind }, surroundings) };
}

function problemsOf(
  { file, text, kind }: Document,
  { connectorTypes, tasks, texts, template }: Surroundings,
): readonly Problem[] {
  switch (kind) {
    case 'task': {
      const parsed = parseTask(text, { connectorTypes });
      if (!parsed.ok) return parsed.problems;
      const all = { ...childTexts(file, parsed.task), ...texts };
      return runTaskProblems(text, parsed.task.name, (name) =>
        Object.hasOwn(all, name) ? all[name] : undefined,
      );
    }
    case 'job-template': {
      const parsed = parseJobTemplate(text, { connectorTypes });
      if (!parsed.ok) return parsed.problems;
      const nodes = { ...parsed.template, tasks: Object.values(parsed.template.tasks) };
      return checkNodes(text, tasks, nodeProblems(nodes, tasks).mismatched).problems;
    }
    case 'dashboard': {
      const parsed = parseDashboard(text, { connectorTypes, template });
      return parsed.ok ? [] : parsed.problems;
    }
    case null: {
      const loaded = loadYaml(text);
      const message = `This is not a task ("steps"), job template ("tasks") or dashboard ("widgets", "pages"); set its kind with --kind`;
      return loaded.ok ? [{ path: '', message }] : loaded.problems;
    }
    default:
      return kind satisfies never;
  }
}

/** Tasks that can be read; what is wrong with the others is told of themselves. */
function tasksIn(documents: readonly Document[]): Surroundings['tasks'] {
  return documents.flatMap(({ kind, text }) => {
    const parsed = kind === 'task' ? parseTask(text) : null;
    if (!parsed?.ok) return [];
    return [{ name: parsed.task.name, yaml: text, connectors: parsed.task.connectors }];
  });
}

function templateIn(documents: readonly Document[]): TemplateNames | null {
  const [only, ...others] = documents.filter(({ kind }) => kind === 'job-template');
  const parsed = only === undefined || others.length > 0 ? null : parseJobTemplate(only.text);
  if (only === undefined || !parsed?.ok) return null;
  const { connectors, args, tasks } = parsed.template;
  const loaded = loadYaml(only.text);
  const document = loaded.ok && isRecord(loaded.document.value) ? loaded.document.value : {};
  const jobConfig = isRecord(document['job_config']) ? document['job_config'] : {};
  return { connectors, args: Object.keys(args), tasks: Object.keys(tasks), jobConfig };
}

/** By the key that each kind must have; null where none is there, or the text is no YAML. */
function kindOf(text: string): DocumentKind | null {
  const loaded = loadYaml(text);
  if (!loaded.ok) return null;
  const { value } = loaded.document;
  if (Array.isArray(value)) return 'dashboard';
  if (!isRecord(value)) return null;
  if (Object.hasOwn(value, 'steps')) return 'task';
  if (Object.hasOwn(value, 'tasks')) return 'job-template';
  const isDashboard = ['dashboard', 'widgets', 'pages'].some((key) => Object.hasOwn(value, key));
  return isDashboard ? 'dashboard' : null;
}
