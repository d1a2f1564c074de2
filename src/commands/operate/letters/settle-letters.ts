import { isRecord } from '../../../base/json.ts';
import { parseExactJson } from '../../../base/values/exact-json.ts';
import type { Client } from '../../../client/create-client.ts';
import { confirm, hasPerson } from '../../kit/ask-person.ts';
import { CommandError } from '../../kit/command-error.ts';
import { EXIT } from '../../kit/exit-code.ts';
import { perform } from '../../kit/perform.ts';
import { readRecord } from '../../run/local-connectors.ts';
import { clientOf } from '../../server/server-client.ts';
import { ownerOf, type Whose } from './dead-letters.ts';

export interface SettleOptions extends Whose {
  readonly yes: boolean;
}

export interface ReplayOptions extends SettleOptions {
  readonly use: 'snapshot' | 'current';
  /** The corrected row as JSON, or `@file`. */
  readonly row?: string;
}

/** Open letters of one job or one run: all, those of one reason, or those with these ids. */
interface Chosen {
  readonly job_id?: number;
  readonly run_id?: number;
  readonly code?: string;
  readonly ids?: number[];
}

/** `headgate dead-letters replay`: starts runs for letters by their ids, or for the open ones of a job or a run. `row` corrects one. */
export async function replayLetters(ids: readonly number[], options: ReplayOptions): Promise<number> {
  return perform(options, async (out) => {
    const item = rowOf(options.row, ids);
    const chosen = await choose(ids, options, 'Replay', out.isJson);
    if (chosen === null) return refused(out.error);
    const api = clientOf(options);
    const whole = { runs: [] as { readonly id: number }[], replaying: 0, left: 0 };
    for (const { job_id, run_id, code, ids: chosenIds } of chosen) {
      const body = {
        use: options.use,
        ...(code !== undefined && { code }),
        ...(chosenIds !== undefined && item === null && { ids: chosenIds }),
        ...(chosenIds !== undefined && item !== null && { items: chosenIds.map((id) => ({ id, item })) }),
      };
      const made =
        run_id !== undefined
          ? await api.POST('/api/runs/{id}/dead-letters/replay', { params: { path: { id: run_id } }, body })
          : await api.POST('/api/jobs/{id}/dead-letters/replay', {
              params: { path: { id: job_id ?? 0 } },
              body,
            });
      const runs = made.runs.map(({ id }) => id);
      out.line(`${made.replaying} replayed in run(s) ${runs.join(', ')}; ${made.left} remaining.`);
      for (const id of runs) out.line(`Follow it: headgate logs ${id} -f`);
      whole.runs.push(...made.runs);
      whole.replaying += made.replaying;
      whole.left += made.left;
    }
    if (out.isJson) out.json(whole);
    return EXIT.ok;
  });
}

/** `headgate dead-letters discard`: gives up letters by their ids, or the open ones of a job or a run. */
export async function discardLetters(ids: readonly number[], options: SettleOptions): Promise<number> {
  return perform(options, async (out) => {
    const chosen = await choose(ids, options, 'Discard', out.isJson);
    if (chosen === null) return refused(out.error);
    const api = clientOf(options);
    let discarded = 0;
    for (const { job_id, run_id, ...body } of chosen) {
      const done =
        run_id !== undefined
          ? await api.POST('/api/runs/{id}/dead-letters/discard', { params: { path: { id: run_id } }, body })
          : await api.POST('/api/jobs/{id}/dead-letters/discard', {
              params: { path: { id: job_id ?? 0 } },
              body,
            });
      discarded += done.discarded;
    }
    if (out.isJson) out.json({ discarded });
    out.line(`${discarded} discarded.`);
    return EXIT.ok;
  });
}

function refused(tell: (text: string) => void): number {
  tell('Nothing was changed.');
  return EXIT.failed;
}

/** What is settled, by whose it is; null where somebody was asked, and said no. */
async function choose(
  ids: readonly number[],
  options: SettleOptions,
  verb: 'Replay' | 'Discard',
  isJson: boolean,
): Promise<readonly Chosen[] | null> {
  const given = [ids.length > 0, options.job !== undefined, options.run !== undefined].filter(Boolean);
  if (given.length !== 1) throw usage('Choose the dead letters: by their ids, or with --job or --run');
  if (ids.length > 0 && options.code !== undefined) throw usage('--code is for --job or --run, not for ids');
  if (!options.yes && (isJson || !hasPerson()))
    throw usage('This cannot be confirmed without a terminal: pass --yes');
  const api = clientOf(options);
  const chosen = ids.length > 0 ? await byOwner(api, ids) : [await ofOne(api, options)];
  if (options.yes) return chosen;
  const open = ids.length > 0 ? ids.length : await countOpen(api, options, chosen[0] ?? {});
  if (open === 0) throw new CommandError(EXIT.failed, 'No matching open dead letters');
  return (await confirm(`${verb} ${open} dead letter(s)?`)) ? chosen : null;
}

async function ofOne(api: Client, options: SettleOptions): Promise<Chosen> {
  const { code } = options;
  return { ...(await ownerOf(api, options)), ...(code !== undefined && { code }) };
}

async function byOwner(api: Client, ids: readonly number[]): Promise<readonly Chosen[]> {
  const groups = new Map<string, Chosen & { readonly ids: number[] }>();
  for (const id of new Set(ids)) {
    const { job_id, run_id, status } = await api.GET('/api/dead-letters/{id}', { params: { path: { id } } });
    if (status !== 'open') throw new CommandError(EXIT.failed, `The dead letter "${id}" is ${status}`);
    const key = job_id === null ? `run ${run_id}` : `job ${job_id}`;
    const group = groups.get(key) ?? { ...(job_id === null ? { run_id } : { job_id }), ids: [] };
    group.ids.push(id);
    groups.set(key, group);
  }
  return [...groups.values()];
}

async function countOpen(api: Client, { code }: SettleOptions, { job_id, run_id }: Chosen): Promise<number> {
  const query = { ...(job_id !== undefined && { job_id }), ...(run_id !== undefined && { run_id }) };
  const { result } = await api.GET('/api/dead-letters/reasons', { params: { query } });
  const wanted = result.filter((reason) => code === undefined || reason.code === code);
  return wanted.reduce((sum, reason) => sum + reason.open, 0);
}

function rowOf(text: string | undefined, ids: readonly number[]): Readonly<Record<string, unknown>> | null {
  if (text === undefined) return null;
  if (ids.length !== 1) throw usage('--row corrects a single dead letter: give its id');
  if (text.startsWith('@')) return readRecord(text.slice(1));
  const row = jsonOrNull(text);
  if (!isRecord(row)) throw usage('--row must be a JSON object, or @file');
  return row;
}

function jsonOrNull(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return null;
  }
}

function usage(message: string): CommandError {
  return new CommandError(EXIT.usage, message);
}
