import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { memoryBelow, partOf, type ServeProcess } from '../serve-process.ts';

/** A measure's name, such as `control-plane anon MB`, to its value. */
export type Measures = ReadonlyMap<string, number>;

export interface SoakSample {
  /** Since the load began. */
  readonly minutes: number;
  readonly runsStarted: number;
  readonly measures: Measures;
}

const mb = 2 ** 20;
const stores = ['state.db', 'state-logs.db', 'metrics.db'] as const;

/** All that is watched of a server: its processes by /proc, its files, the rows of every table, its answer to `/metrics`. */
export async function takeMeasures(server: ServeProcess, folder: string, key: string): Promise<Measures> {
  const measures = measureProcesses(server.pid);
  for (const store of stores) measureStore(join(folder, store), measures);
  const answer = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${key}` } });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`/metrics answered ${answer.status}: ${text}`);
  measures.set('/metrics KB', text.length / 1_024);
  const oldSpace = /^\w*nodejs_heap_space_size_used_bytes\{space="old"\} (\S+)/m.exec(text)?.[1];
  measures.set('control-plane old space MB', Number(oldSpace) / mb);
  return measures;
}

/** Runners come and go: the largest of them counts, and one that ends while it is looked at has all looked at again. */
function measureProcesses(pid: number, triesLeft = 3): Map<string, number> {
  const measures = new Map<string, number>();
  const note = (part: string, what: string, value: number) => {
    const before = measures.get(`${part} ${what}`) ?? 0;
    const one = part === 'runner' && what !== 'processes';
    measures.set(`${part} ${what}`, one ? Math.max(before, value) : before + value);
  };
  try {
    for (const found of memoryBelow(pid)) {
      const part = partOf(found);
      const status = readFileSync(`/proc/${found.pid}/status`, 'utf8');
      const read = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
      note(part, 'rss MB', read('VmRSS') / 1_024);
      note(part, 'anon MB', read('RssAnon') / 1_024);
      note(part, 'threads', read('Threads'));
      note(part, 'descriptors', readdirSync(`/proc/${found.pid}/fd`).length);
      note(part, 'processes', 1);
    }
    return measures;
  } catch (error) {
    if (triesLeft === 0) throw error;
    return measureProcesses(pid, triesLeft - 1);
  }
}

/** On a handle of the moment: one that stays open with a statement would hold back the checkpoint that is to be watched. */
function measureStore(path: string, measures: Map<string, number>): void {
  // That of metrics is made with the first of them.
  if (!existsSync(path)) return;
  const name = basename(path);
  for (const suffix of ['', '-wal'])
    measures.set(
      `${name}${suffix} MB`,
      (statSync(`${path}${suffix}`, { throwIfNoEntry: false })?.size ?? 0) / mb,
    );
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  try {
    const tables = database
      .prepare(
        "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and sql not like 'create virtual%'",
      )
      .all();
    for (const { name: table } of tables) {
      const counted = database.prepare(`select count(*) as count from "${table}"`).get();
      measures.set(`${name} ${table} rows`, Number(counted?.['count'] ?? 0));
    }
  } finally {
    database.close();
  }
}
