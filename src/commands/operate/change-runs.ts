import { parseExactJson } from '../../base/values/exact-json.ts';
import { CommandError } from '../kit/command-error.ts';
import type { CommandOutput } from '../kit/command-output.ts';
import { EXIT } from '../kit/exit-code.ts';
import { perform } from '../kit/perform.ts';
import { clientOf, type ServerOptions } from '../server/server-client.ts';
import { jobIdOf } from './find-by-name.ts';
import { exitCodeOf, showJobRun, watchJobRun } from './job-run-screen.ts';

interface Watched extends ServerOptions {
  readonly watch: boolean;
}

export interface StartOptions extends Watched {
  /** `name=value`, a value of JSON or else text. */
  readonly arg: readonly string[];
  readonly task: readonly string[];
  readonly priority?: number;
}

/** `headgate start`: starts a job, by id or name. With `watch` it follows the job run to its end, and exits 1 where that failed. */
export async function start(job: string, options: StartOptions): Promise<number> {
  return perform(options, async (out) => {
    const body = {
      args: argumentsOf(options.arg),
      ...(options.task.length > 0 && { tasks: [...options.task] }),
      ...(options.priority !== undefined && { priority: options.priority }),
    };
    const api = clientOf(options);
    const id = await jobIdOf(api, job);
    const made = await api.POST('/api/jobs/{id}/runs', { params: { path: { id } }, body });
    return begun(made, 'is started', options, out);
  });
}

export interface RerunOptions extends Watched {
  /** `failed`, `start`, or the key of a task. */
  readonly from: string;
  readonly use: 'snapshot' | 'current';
}

/** `headgate rerun`: runs a job run again, from what failed on. */
export async function rerun(id: number, options: RerunOptions): Promise<number> {
  return perform(options, async (out) => {
    const { from, use } = options;
    const params = { path: { id } };
    const made = await clientOf(options).POST('/api/job-runs/{id}/rerun', { params, body: { from, use } });
    return begun(made, `runs job run ${id} again`, options, out);
  });
}

export interface CancelOptions extends Watched {
  readonly force: boolean;
}

/** `headgate cancel`: asks a job run to end; `force` does not wait for its tasks. */
export async function cancel(id: number, options: CancelOptions): Promise<number> {
  return perform(options, async (out) => {
    const api = clientOf(options);
    const body = { mode: options.force ? ('force' as const) : ('graceful' as const) };
    const asked = await api.POST('/api/job-runs/{id}/cancel', { params: { path: { id } }, body });
    if (!options.watch) {
      if (out.isJson) out.json(asked);
      out.line(`Job run ${id}: ${asked.status}`);
      return EXIT.ok;
    }
    const ended = await watchJobRun(api, id, out);
    showJobRun(ended, out);
    return ended.status === 'cancelled' ? EXIT.ok : EXIT.failed;
  });
}

async function begun(
  made: { readonly id: number; readonly status: string },
  what: string,
  options: Watched,
  out: CommandOutput,
): Promise<number> {
  out.line(`Job run ${made.id} ${what}.`);
  if (!options.watch) {
    if (out.isJson) out.json(made);
    out.line(`Follow it: headgate runs ${made.id} --watch`);
    return EXIT.ok;
  }
  const ended = await watchJobRun(clientOf(options), made.id, out);
  showJobRun(ended, out);
  return exitCodeOf(ended);
}

function argumentsOf(given: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    given.map((text) => {
      const at = text.indexOf('=');
      if (at < 1) throw new CommandError(EXIT.usage, `--arg "${text}" must be name=value`);
      return [text.slice(0, at), jsonOrText(text.slice(at + 1))];
    }),
  );
}

function jsonOrText(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return text;
  }
}
