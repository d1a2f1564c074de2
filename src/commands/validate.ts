import { existsSync } from 'node:fs';
import type { Problem } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import { loadConnectorTypes } from '../drivers/registry.ts';
import type { ConnectorTypes } from '../language/connector-types.ts';
import { parseDashboard } from '../language/dashboard/parse-dashboard.ts';
import type { TemplateNames } from '../language/dashboard/template-names.ts';
import { parseTask } from '../language/task/parse-task.ts';
import { runTaskProblems } from '../language/task/steps/control/child-tasks.ts';
import { parseJobTemplate } from '../language/template/parse-template.ts';
import { loadYaml } from '../language/yaml/load-yaml.ts';
import { childTexts } from './kit/child-files.ts';
import { CommandError } from './kit/command-error.ts';
import { printable } from './kit/command-output.ts';
import { EXIT } from './kit/exit-code.ts';
import { perform } from './kit/perform.ts';
import { readTask } from './kit/script-files.ts';
import { CONNECTORS_FILE } from './run/connector-sources.ts';
import { localDrivers } from './run/local-drivers.ts';
import {
  type TaskFile,
  type TemplateFindings,
  taskFiles,
  templateFindings,
} from './validate/template-findings.ts';

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

interface Verdict extends Pick<Document, 'file' | 'kind'>, TemplateFindings {}

/** What documents are held against: the connectors of this build, and what was named beside them. */
interface Surroundings {
  readonly connectorTypes: ConnectorTypes;
  readonly tasks: readonly TaskFile[];
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
    for (const { file, kind, problems, unchecked = [] } of verdicts) {
      if (problems.length === 0) out.line(`${out.paint('green', 'ok')}  ${file} (${kind})`);
      for (const note of unchecked) out.line(`${file}: note: ${printable(note)}`);
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
  const text = readTask(file);
  return { file, text, kind: kind ?? kindOf(text) };
}

function verdictOf({ file, text, kind }: Document, surroundings: Surroundings): Verdict {
  const findings =
    kind === 'job-template'
      ? templateFindings({ file, text }, surroundings)
      : { problems: problemsOf({ file, text, kind }, surroundings) };
  return { file, kind, ...findings };
}

function problemsOf(
  { file, text, kind }: { file: string; text: string; kind: Exclude<Document['kind'], 'job-template'> },
  { connectorTypes, texts, template }: Surroundings,
): readonly Problem[] {
  switch (kind) {
    case 'task': {
      const parsed = parseTask(text, { connectorTypes });
      if (!parsed.ok) return parsed.problems;
      const all = { ...childTexts(file, parsed.task), ...texts };
      const findText = (name: string) => (Object.hasOwn(all, name) ? all[name] : undefined);
      return runTaskProblems(text, parsed.task.name, { findText, isSaved: true, checksExpressions: true });
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
function tasksIn(documents: readonly Document[]): readonly TaskFile[] {
  return taskFiles(documents.filter(({ kind }) => kind === 'task').map(({ text }) => text));
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
