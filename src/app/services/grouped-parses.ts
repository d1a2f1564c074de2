import { LRUCache } from 'lru-cache';
import { RunGroup } from '../../base/concurrency/batcher.ts';
import { caller } from '../../base/concurrency/caller.ts';
import type { Answer } from '../../threads/messages/calls.ts';
import type { ServicesDeps } from './services-deps.ts';

/** So many calls of one caller are under way: enough for two threads and for the way there and back. */
const CALLS_MAX = 3;
/** Of one call: an excess in one of its texts costs the others no more than this many characters' time. */
const CHARS_MAX = 32_000;
/** What each text costs besides, in characters: a call has at most sixteen of the shortest. */
const CHARS_BASE = 2_000;
/** More texts of one caller have a call each: the pool says how many may wait. */
const WAITING_MAX = 32;
const CALLERS_MAX = 100;

type Parse = (yaml: string) => Promise<Answer<'parse_task'>>;
type Outcome = { readonly answer: Answer<'parse_task'> } | { readonly error: unknown };

/**
 * Parses tasks in the worker host, several texts in one call where one caller sends many at the same time: the way of a small text
 * there and back costs as much as a third of its parse. Callers never share a call, and where one fails, each of its texts has a call
 * of its own, so that a text beyond the limits is nobody else's error.
 */
export function groupedByCaller(pool: Pick<ServicesDeps['pool'], 'run'>): Parse {
  const alone = (yaml: string): Promise<Outcome> =>
    pool.run({ kind: 'parse_task', input: { yaml } }).then(
      (answer) => ({ answer }),
      (error: unknown) => ({ error }),
    );
  const handle = async (yamls: readonly string[]): Promise<readonly Outcome[]> => {
    const [only, ...others] = yamls;
    if (only !== undefined && others.length === 0) return [await alone(only)];
    const answers = await pool.run({ kind: 'parse_tasks', input: { yamls } });
    return answers.map((answer) => ({ answer }));
  };
  const groups = new LRUCache<string, RunGroup<string, Outcome>>({
    max: CALLERS_MAX,
    memoMethod: () =>
      new RunGroup({
        handle,
        weightOf: (yaml) => CHARS_BASE + yaml.length,
        weightMax: CHARS_MAX,
        groupsMax: CALLS_MAX,
      }),
  });
  return async (yaml) => {
    const group = groups.memo(caller.getStore() ?? '');
    const outcome = await (group.waiting < WAITING_MAX ? group.ask(yaml) : alone(yaml));
    if ('error' in outcome) throw outcome.error;
    return outcome.answer;
  };
}
