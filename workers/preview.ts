import { systemClock } from '../src/base/clock.ts';
import { AppError } from '../src/base/errors.ts';
import { createRedactor } from '../src/base/text/redactor.ts';
import { connectorAppError } from '../src/drivers/connector-app-error.ts';
import { type Drivers, loadDrivers } from '../src/drivers/registry.ts';
import { evaluateOnRow } from '../src/engine/preview/evaluate-on-row.ts';
import type { PreviewOutcome } from '../src/engine/preview/preview-steps.ts';
import { previewTask } from '../src/engine/preview/preview-task.ts';
import { exampleOf } from '../src/engine/preview/record-example.ts';
import { type TestContext, testTask } from '../src/engine/preview/test-task.ts';
import { lockScripts } from '../src/engine/script/lock-scripts.ts';
import { LockProblem } from '../src/engine/script/task-locks.ts';
import { parseTask } from '../src/language/task/parse-task.ts';
import type { Input } from '../src/threads/messages/calls.ts';
import { hostSettings, serveCalls } from '../src/threads/serve-calls.ts';

/** Of a server on which they are off. */
const NO_SCRIPTS = { python: null };

/** The API's names. */
function toAnswer({ failure, steps }: PreviewOutcome) {
  return {
    failure: failure && { code: failure.code, message: failure.message, step: failure.step_id || null },
    steps: steps.map((step) => ({ ...step, duration_ms: Math.round(step.duration_ms * 100) / 100 })),
  };
}

async function testExample(
  { yaml, index, tasks }: Input<'test_task'>,
  context: Omit<TestContext, 'drivers' | 'tasks'>,
) {
  const parsed = parseTask(yaml);
  const example = parsed.ok ? parsed.task.tests[index] : undefined;
  if (!parsed.ok || example === undefined) throw new Error('the task has no such example');
  const drivers = await driversOf(parsed.task.connectors);
  return testTask(parsed.task, example, { ...context, drivers, tasks: parsedAll(tasks) });
}

function parsedAll(texts: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, parseTask(text)]));
}

/** Connectors that are declared and never opened. */
function unboundOf(declared: Readonly<Record<string, { readonly type: string }>>) {
  return Object.fromEntries(
    Object.entries(declared).map(([name, { type }]) => [name, { name, type, config: {} }]),
  );
}

function driversOf(connectors: Readonly<Record<string, { readonly type: string }>>): Promise<Drivers> {
  const types = Object.values(connectors).map(({ type }) => type);
  return loadDrivers(types, hostSettings().data.drivers);
}

function createPreview() {
  const connectContext = hostSettings().data;
  return serveCalls<'preview' | 'evaluate' | 'lock_task' | 'test_task'>(
    {
      evaluate: async (asked, signal) => {
        const parsed = parseTask(asked.yaml);
        const declared = parsed.ok ? parsed.task.connectors : {};
        const input = {
          parsed,
          args: asked.args,
          jobConfig: asked.jobConfig,
          connectors: unboundOf(declared),
          run: { id: 0, attempt: 1 },
          timeoutMs: 0,
        };
        const drivers = await driversOf(declared);
        const context = { drivers, connectContext, clock: systemClock, random: Math.random, signal };
        return JSON.stringify(await evaluateOnRow(input, context, asked));
      },
      preview: async (asked, signal) => {
        const {
          yaml,
          tasks = {},
          args,
          jobConfig,
          connectors,
          rowsMax,
          record = null,
          scripts = false,
        } = asked;
        const input = {
          parsed: parseTask(yaml),
          tasks: parsedAll(tasks),
          args,
          jobConfig,
          connectors,
          run: { id: 0, attempt: 1 },
          timeoutMs: 0,
        };
        const drivers = await driversOf(connectors);
        const access = scripts ? connectContext : { ...connectContext, scripts: undefined };
        const context = { drivers, connectContext: access, clock: systemClock, random: Math.random, signal };
        const outcome = await previewTask(input, context, { rowsMax });
        const example = record === null ? null : exampleOf(outcome, { name: record, args, jobConfig });
        // As logs and dead letters of a run: what a source repeats of a secret is not shown.
        const redactor = createRedactor(Object.values(connectors).flatMap(({ secrets = [] }) => secrets));
        return redactor.json(JSON.stringify({ ...toAnswer(outcome), example }));
      },
      lock_task: async ({ yaml, upgrade }, signal) => {
        const access = connectContext.scripts ?? NO_SCRIPTS;
        const locked = await lockScripts(yaml, { access, upgrade, signal }).catch((cause: unknown) => {
          if (!(cause instanceof LockProblem)) throw cause;
          throw new AppError('UNPROCESSABLE', cause.message, { cause });
        });
        return JSON.stringify({ yaml_content: locked.yaml, steps: locked.steps });
      },
      test_task: async (input, signal) => {
        const outcome = await testExample(input, {
          clock: systemClock,
          signal,
          scripts: connectContext.scripts,
        });
        return JSON.stringify(outcome, (_, value) => (typeof value === 'bigint' ? value.toString() : value));
      },
    },
    { toAppError: connectorAppError },
  );
}

export default createPreview();
