import { existsSync } from 'node:fs';
import type { Problem } from '../base/errors.ts';
import { silentLogger } from '../base/logger.ts';
import type { Effect, PreviewStep } from '../engine/preview/preview-steps.ts';
import type { RecordedExample } from '../engine/preview/record-example.ts';
import type { TestOutcome } from '../engine/preview/test-task.ts';
import { parseTask } from '../language/task/parse-task.ts';
import { createWorkerPool } from '../threads/pool.ts';
import type { WorkerPool } from '../threads/worker-pool.ts';
import { childTexts, problemsToRun } from './kit/child-files.ts';
import { CommandError } from './kit/command-error.ts';
import { type CommandOutput, printable } from './kit/command-output.ts';
import { EXIT } from './kit/exit-code.ts';
import { perform } from './kit/perform.ts';
import { readDocument } from './kit/read-document.ts';
import { replaceFile } from './kit/replace-file.ts';
import { readTask, withScriptFiles } from './kit/script-files.ts';
import { insertExample } from './preview/insert-example.ts';
import { previewOnServer, type ServerPreviewOptions } from './preview/preview-on-server.ts';
import { CONNECTORS_FILE } from './run/connector-sources.ts';
import { mayHaveScripts } from './run/has-scripts.ts';
import { readConnectors, readRecord, typesOf } from './run/local-connectors.ts';
import { localContext, localScripts } from './run/local-context.ts';
import { localPlugins } from './run/local-plugins.ts';
import { readArguments } from './run/read-arguments.ts';

const PREVIEW_MS_MAX = 15_000;
/** Rows of one step that people are shown; `--json` has all. */
const ROWS_SHOWN_MAX = 10;

export interface PreviewCommandOptions extends ServerPreviewOptions {
  readonly rows: string;
  /** Run by the server, with its saved connectors. */
  readonly remote: boolean;
  /** Paths and packages of drivers of one's own. */
  readonly driver?: readonly string[];
  readonly json: boolean;
}

/** As the worker answers. */
interface Preview {
  readonly failure: { readonly code: string; readonly message: string; readonly step: string | null } | null;
  readonly steps: readonly PreviewStep[];
  readonly example: RecordedExample | null;
}

/**
 * `headgate preview`: what a task would do with a few rows of its sources, on this machine or, with `remote`, on a server; nothing is
 * written. With `record` the preview becomes an
 * example in the task's file, after it was run as one. Exit code 1 where the preview does not come to its end.
 */
export async function preview(file: string, options: PreviewCommandOptions): Promise<number> {
  return perform(options, async (out) => {
    const rows = Number(options.rows);
    if (!Number.isInteger(rows) || rows < 1 || rows > 100)
      throw new CommandError(
        EXIT.usage,
        `--rows must be a whole number from 1 to 100, not "${options.rows}"`,
      );
    const yaml = readTask(file);
    const parsed = parseTask(yaml, { checksExpressions: true });
    if (!parsed.ok) return showProblems(file, parsed.problems, out);
    if (options.remote)
      return showPreview(
        (await previewOnServer(yaml, parsed.task, rows, options)) as unknown as Preview,
        out,
      );
    const tasks = childTexts(file, parsed.task, options.task);
    const problems = problemsToRun(yaml, parsed.task, tasks);
    if (problems.length > 0) return showProblems(file, problems, out);
    const { args: specs, connectors: declared } = parsed.task;
    const connectorsFile = options.connectors ?? (existsSync(CONNECTORS_FILE) ? CONNECTORS_FILE : null);
    const { byName, drivers, folders } = await readConnectors(
      { file: connectorsFile, given: options.connector, drivers: options.driver },
      Object.keys(declared),
    );
    const connectors = Object.entries(byName).map(([name, connector], index) => [
      name,
      { ...connector, id: index + 1, version: 1 },
    ]);
    const plugins = await localPlugins(typesOf(byName), options.plugin);
    const scripts = await localScripts(mayHaveScripts(parsed.task));
    const roots = options.fileRoot ?? [process.cwd()];
    const pool = createWorkerPool({
      logger: silentLogger,
      data: localContext([...roots, ...folders], { plugins, drivers, scripts }),
      threads: 1,
      isolatedHosts: 1,
    });
    try {
      const input = {
        yaml,
        tasks,
        args: readArguments(options.arg, specs),
        jobConfig: options.config === undefined ? {} : readRecord(options.config),
        connectors: Object.fromEntries(connectors),
        rowsMax: rows,
        record: options.record ?? null,
        scripts: true,
      };
      const answer = await pool.run({ kind: 'preview', input }, { timeoutMs: PREVIEW_MS_MAX });
      const shown = JSON.parse(answer) as Preview;
      const exitCode = showPreview(shown, out);
      if (exitCode === EXIT.ok && options.record !== undefined)
        await recordExample(pool, { file, tasks, example: shown.example }, out);
      return exitCode;
    } finally {
      await pool.stop();
    }
  });
}

function showPreview(shown: Preview, out: CommandOutput): number {
  if (out.isJson) out.json(shown);
  for (const step of shown.steps) showStep(step, out);
  if (shown.failure === null) return EXIT.ok;
  const { code, message, step } = shown.failure;
  out.error(`${code}${step === null ? '' : ` in the step "${step}"`}: ${printable(message)}`);
  return EXIT.failed;
}

interface Recording {
  readonly file: string;
  readonly tasks: Readonly<Record<string, string>>;
  readonly example: RecordedExample | null;
}

/** Writes the example only where it is one: run by itself, it gives the same rows. */
async function recordExample(
  pool: WorkerPool,
  { file, tasks, example }: Recording,
  out: CommandOutput,
): Promise<void> {
  if (example === null)
    throw new CommandError(
      EXIT.failed,
      'No transform or sql step processed rows, so there is nothing to record',
    );
  const changed = insertExample(readDocument(file), example);
  const whole = withScriptFiles(changed, file);
  const parsed = parseTask(whole);
  if (!parsed.ok)
    throw new CommandError(
      EXIT.failed,
      `The example cannot be written: ${parsed.problems[0]?.message ?? ''}`,
    );
  const index = parsed.task.tests.length - 1;
  const answer = await pool.run(
    { kind: 'test_task', input: { yaml: whole, index, tasks } },
    { timeoutMs: PREVIEW_MS_MAX },
  );
  const { holds, failure, steps } = JSON.parse(answer) as TestOutcome;
  const differing = steps.find((step) => !step.holds)?.step_id;
  if (!holds)
    throw new CommandError(
      EXIT.failed,
      `The example was not recorded: rerun from its rows, ${failure === null ? `the step "${differing}" returns different rows` : failure.message}`,
    );
  replaceFile(file, changed);
  out.line(`\n${out.paint('green', 'recorded')} as "${printable(example.name)}" in ${file}`);
}

function showStep(step: PreviewStep, out: CommandOutput): void {
  const { step_id, kind, status, rows, rows_failed, warnings, errors, would, output } = step;
  const style =
    status === 'error' ? 'red' : status === 'warning' ? 'yellow' : status === 'skipped' ? 'dim' : 'green';
  const counts = rows.length === 0 && would === null ? '' : `, ${rows.length} rows`;
  const failed = rows_failed === 0 ? '' : `, ${rows_failed} failed`;
  out.line(`${out.paint(style, status)} ${out.paint('bold', step_id)} (${kind}${counts}${failed})`);
  if (would !== null) out.line(`  ${out.paint('cyan', 'would')} ${printable(wordsOf(would))}`);
  if (output !== null) out.line(`  gives ${printable(JSON.stringify(output))}`);
  for (const row of rows.slice(0, ROWS_SHOWN_MAX)) out.line(`  ${printable(JSON.stringify(row))}`);
  if (rows.length > ROWS_SHOWN_MAX) out.line(`  and ${rows.length - ROWS_SHOWN_MAX} more`);
  for (const text of warnings) out.line(`  ${out.paint('yellow', printable(text))}`);
  for (const { code, message } of errors)
    out.line(`  ${out.paint('yellow', printable(`failed row: ${message} (${code})`))}`);
}

function wordsOf(effect: Effect): string {
  switch (effect.action) {
    case 'load': {
      const by = effect.key.length === 0 ? '' : ` by ${effect.key.join(', ')}`;
      const gone = effect.deletes_missing ? ', and delete missing rows' : '';
      const compared =
        effect.verify === null ? '' : `; then verify them in the target (on a difference: ${effect.verify})`;
      return `load ${effect.rows} rows into "${effect.object}" of ${effect.connector} (${effect.mode}${by})${gone}${compared}`;
    }
    case 'verify':
      return `verify that ${effect.target} has the rows of ${effect.source} by ${effect.key.join(', ')} (on a difference: ${effect.on_difference}); a preview compares nothing`;
    case 'call':
      return `call ${effect.method} of ${effect.connector} with ${JSON.stringify(effect.args)}`;
    case 'log':
      return `log (${effect.level}): ${typeof effect.message === 'string' ? effect.message : JSON.stringify(effect.message)}`;
    case 'set_state':
      return `keep ${JSON.stringify(effect.values)}`;
    case 'sleep':
      return `wait ${effect.duration_ms / 1_000} s`;
    case 'stop':
      return `end the task here (${effect.status})${effect.message === null ? '' : `: ${String(effect.message)}`}`;
    default:
      return effect satisfies never;
  }
}

function showProblems(file: string, problems: readonly Problem[], out: CommandOutput): number {
  for (const { line, column, message } of problems)
    out.error(`${file}:${line ?? 1}:${column ?? 1}: ${message}`);
  if (out.isJson) out.json({ failure: { code: 'VALIDATION_ERROR' }, problems });
  return EXIT.failed;
}
