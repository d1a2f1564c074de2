import { subscribe } from 'node:diagnostics_channel';
import { setTimeout as delay } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';

const LOOK_EVERY_MS = 20;
/** What the runner itself changes from file to file. */
const OWN_VARIABLE = 'HEADGATE_TEST_FILE';
export const WATCHED_EVENTS: readonly string[] = [
  'SIGINT',
  'SIGTERM',
  'disconnect',
  'message',
  'uncaughtException',
  'unhandledRejection',
  'warning',
];

/** The process's own list of what is open leaves threads out. */
const threads = new Set<Worker>();
subscribe('worker_threads', (message) => {
  const { worker } = message as { worker: Worker };
  threads.add(worker);
  worker.once('exit', () => threads.delete(worker));
});

/** What the process keeps open for all of its files, by kind. */
const kept = new Map<string, number>();

/** What `open` leaves open stays until the process ends: it is not what the file that was the first to need it leaves behind. */
export async function keepOpen<T>(open: () => Promise<T>): Promise<T> {
  const before = openNow();
  const opened = await open();
  for (const [kind, count] of openNow()) {
    const added = count - (before.get(kind) ?? 0);
    if (added > 0) kept.set(kind, (kept.get(kind) ?? 0) + added);
  }
  return opened;
}

/** What a test file must leave as it was, for the next one in the process. */
export interface Footprint {
  /** What would keep the process alive: how many of each kind. */
  readonly open: ReadonlyMap<string, number>;
  readonly env: NodeJS.ProcessEnv;
  readonly listeners: ReadonlyMap<string, number>;
}

/** `events`: the process's events whose listeners count. */
export function footprint(events: readonly string[] = WATCHED_EVENTS): Footprint {
  const open = openNow();
  for (const [kind, count] of kept) open.set(kind, (open.get(kind) ?? 0) - count);
  const listeners = new Map(events.map((name) => [name, process.listenerCount(name)]));
  return { open, env: { ...process.env }, listeners };
}

function openNow(): Map<string, number> {
  const open = new Map([['thread', threads.size]]);
  for (const kind of process.getActiveResourcesInfo()) open.set(kind, (open.get(kind) ?? 0) + 1);
  return open;
}

/** Says what is there that was not there before, after at most `msMax`; null where nothing is. */
export async function leftBehind(before: Footprint, msMax: number): Promise<string | null> {
  const end = performance.now() + msMax;
  for (;;) {
    const left = difference(before, footprint([...before.listeners.keys()]));
    if (left.length === 0) return null;
    if (performance.now() > end) return left.join(', ');
    await delay(LOOK_EVERY_MS);
  }
}

function difference(before: Footprint, after: Footprint): string[] {
  const more = (what: string, was: ReadonlyMap<string, number>, is: ReadonlyMap<string, number>) =>
    [...is].flatMap(([name, count]) => {
      const added = count - (was.get(name) ?? 0);
      return added > 0 ? [`${added} ${what}${name}`] : [];
    });
  const variables = new Set([...Object.keys(before.env), ...Object.keys(after.env)]);
  variables.delete(OWN_VARIABLE);
  return [
    ...more('', before.open, after.open),
    ...more('listener of the process to ', before.listeners, after.listeners),
    ...[...variables].flatMap((name) =>
      before.env[name] === after.env[name] ? [] : [`environment ${name}`],
    ),
  ];
}
