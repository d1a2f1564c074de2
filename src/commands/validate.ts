import type { Problem } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import { loadConnectorTypes } from '../drivers/registry.ts';
import type { ConnectorTypes } from '../language/connector-types.ts';
import { parseDashboard } from '../language/dashboard/parse-dashboard.ts';
import { parseTask } from '../language/task/parse-task.ts';
import { parseJobTemplate } from '../language/template/parse-template.ts';
import { loadYaml } from '../language/yaml/load-yaml.ts';
import { printable } from './kit/command-output.ts';
import { EXIT } from './kit/exit-code.ts';
import { perform } from './kit/perform.ts';
import { readDocument } from './kit/read-document.ts';

export const DOCUMENT_KINDS = ['task', 'job-template', 'dashboard'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

export interface ValidateOptions {
  readonly kind?: DocumentKind;
  readonly json: boolean;
}

interface Verdict {
  readonly file: string;
  readonly kind: DocumentKind | null;
  readonly problems: readonly Problem[];
}

type Parse = (
  text: string,
  options: { readonly connectorTypes: ConnectorTypes },
) => { readonly ok: boolean; readonly problems?: readonly Problem[] };

const PARSERS: Readonly<Record<DocumentKind, Parse>> = {
  task: parseTask,
  'job-template': parseJobTemplate,
  dashboard: parseDashboard,
};

/** `headgate validate`: every problem of the documents as `file:line:column: message`. Exit code 1 where there is one. */
export async function validate(files: readonly string[], options: ValidateOptions): Promise<number> {
  return perform(options, async (out) => {
    const connectorTypes = await loadConnectorTypes();
    const verdicts = files.map((file) => verdictOf(file, options.kind, connectorTypes));
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

function verdictOf(file: string, given: DocumentKind | undefined, connectorTypes: ConnectorTypes): Verdict {
  const text = readDocument(file);
  const kind = given ?? kindOf(text);
  if (kind !== null) {
    const parsed = PARSERS[kind](text, { connectorTypes });
    return { file, kind, problems: parsed.ok ? [] : (parsed.problems ?? []) };
  }
  const loaded = loadYaml(text);
  const message = `This is no task ("steps"), job template ("tasks") or dashboard ("widgets", "pages"); name its kind with --kind`;
  return { file, kind, problems: loaded.ok ? [{ path: '', message }] : loaded.problems };
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
