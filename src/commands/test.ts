import { AppError } from '../base/errors.ts';
import { canonicalJson } from '../base/json.ts';
import { silentLogger } from '../base/logger.ts';
import { textDiff } from '../base/text/text-diff.ts';
import type { TestedStep, TestOutcome } from '../engine/preview/test-task.ts';
import { parseTask } from '../language/task/parse-task.ts';
import type { Input } from '../threads/messages/calls.ts';
import { createWorkerPool } from '../threads/pool.ts';
import type { WorkerPool } from '../threads/worker-pool.ts';
import { childTexts, problemsToRun } from './kit/child-files.ts';
import { type CommandOutput, printable } from './kit/command-output.ts';
import { EXIT } from './kit/exit-code.ts';
import { perform } from './kit/perform.ts';
import { readTask } from './kit/script-files.ts';
import { mayHaveScripts } from './run/has-scripts.ts';
import { localScripts } from './run/local-context.ts';
import { EXAMPLE_SECONDS_MAX } from './test/example-limits.ts';

export interface TestOptions {
  /** Files of tasks that steps run; others are sought next to the file of the task. */
  readonly task: readonly string[];
  readonly json: boolean;
}

/**
 * `headgate test`: runs the examples (`tests`) of tasks: what their extracts give is written in them, and no connector is opened.
 * Exit code 1 where one does not hold or a task has problems. Expressions run in the threads of a worker host, with its limits: one
 * that never ends fails its example after `EXAMPLE_SECONDS_MAX`, and the next one runs.
 */
export async function test(files: readonly string[], options: TestOptions): Promise<number> {
  return perform(options, async (out) => {
    const runner = openExampleRunner();
    try {
      return await testFiles(files, options.task, runner, out);
    } finally {
      await runner.close();
    }
  });
}

async function testFiles(
  files: readonly string[],
  given: readonly string[],
  runner: ExampleRunner,
  out: CommandOutput,
): Promise<number> {
  const results: Readonly<Record<string, unknown>>[] = [];
  const counts = { passed: 0, failed: 0 };
  for (const file of files) {
    const yaml = readTask(file);
    const parsed = parseTask(yaml, { checksExpressions: true });
    const tasks = parsed.ok ? childTexts(file, parsed.task, given) : {};
    const problems = parsed.ok ? problemsToRun(yaml, parsed.task, tasks) : parsed.problems;
    if (!parsed.ok || problems.length > 0) {
      counts.failed += 1;
      results.push({ file, problems });
      for (const { line, column, message } of problems)
        out.line(`${file}:${line ?? 1}:${column ?? 1}: ${out.paint('red', 'error')}: ${printable(message)}`);
      continue;
    }
    for (const [index, { name }] of parsed.task.tests.entries()) {
      const outcome = await runner.run({ yaml, index, tasks }, mayHaveScripts(parsed.task));
      counts[outcome.holds ? 'passed' : 'failed'] += 1;
      results.push({ file, test: name, ...outcome });
      showOutcome(`${file}: ${printable(name)}`, outcome, out);
    }
    if (parsed.task.tests.length === 0) out.line(`${out.paint('dim', '-')}   ${file} has no tests`);
  }
  if (out.isJson) out.json({ ok: counts.failed === 0, ...counts, results });
  out.line(`\n${counts.passed} passed, ${counts.failed} failed`);
  return counts.failed === 0 ? EXIT.ok : EXIT.failed;
}

function showOutcome(title: string, { holds, failure, steps }: TestOutcome, out: CommandOutput): void {
  out.line(`${holds ? out.paint('green', 'ok ') : out.paint('red', 'NOT')} ${title}`);
  if (failure !== null) {
    const place = failure.step_id === '' ? '' : ` in the step "${failure.step_id}"`;
    out.line(`      ${failure.code}${place}: ${printable(failure.message)}`);
  }
  for (const step of steps) if (!step.holds) showStep(step, out);
}

/** Rows that are missing with "-", those that were not expected with "+". */
function showStep({ step_id, skipped, expected, found, errors }: TestedStep, out: CommandOutput): void {
  if (skipped) {
    out.line(`      step "${step_id}" was not executed`);
    return;
  }
  out.line(`      step "${step_id}": expected (-) and found (+)`);
  const diff = textDiff(linesOf(expected), linesOf(found), { from: 'expected', to: 'found' });
  // The first lines name the two texts.
  for (const line of diff.split('\n').slice(2)) {
    if (line === '' || line.startsWith('@@')) continue;
    const style = line.startsWith('-') ? 'red' : line.startsWith('+') ? 'green' : 'dim';
    out.line(`        ${out.paint(style, printable(line))}`);
  }
  for (const { code, message, item } of errors)
    out.line(
      `        ${out.paint('yellow', `failed row: ${printable(message)} (${code})`)} ${canonicalJson(item)}`,
    );
}

function linesOf(rows: readonly Readonly<Record<string, unknown>>[]): string {
  return rows.map((row) => `${canonicalJson(row)}\n`).join('');
}

/** Runs examples where nothing that is written in them can stop the command. */
interface ExampleRunner {
  /** The example at this place of the task's `tests`. One that exceeds its time, memory or output does not hold. */
  run(example: Input<'test_task'>, hasScripts: boolean): Promise<TestOutcome>;
  close(): Promise<void>;
}

/** Starts a worker host with the first example, and another with the first that has scripts. */
function openExampleRunner(): ExampleRunner {
  const pools = new Map<boolean, Promise<WorkerPool>>();
  return {
    async run(input, hasScripts) {
      const opened = pools.get(hasScripts) ?? openPool(hasScripts);
      pools.set(hasScripts, opened);
      const pool = await opened;
      try {
        const timeoutMs = EXAMPLE_SECONDS_MAX * 1_000;
        return JSON.parse(await pool.run({ kind: 'test_task', input }, { timeoutMs }));
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'UNPROCESSABLE') throw error;
        return {
          holds: false,
          failure: { code: error.code, message: error.message, step_id: '' },
          steps: [],
        };
      }
    },
    close: async () => {
      for (const pool of pools.values()) await (await pool).stop();
    },
  };
}

async function openPool(hasScripts: boolean): Promise<WorkerPool> {
  const scripts = await localScripts(hasScripts);
  return createWorkerPool({
    logger: silentLogger,
    // No connector is opened.
    data: { fileRoots: [], forbiddenFiles: [], connectTimeoutMs: 1, scripts },
    threads: 1,
    isolatedHosts: 1,
  });
}
