import { setTimeout as delay } from 'node:timers/promises';
import type { Test } from 'tap';
import { seeded } from './seed.ts';
import { type Served, serve, until } from './served.ts';

const ENDED_MS_MAX = 240_000;
const LOOK_EVERY_MS = 150;
/** A kill may also come shortly after the end. */
const BEYOND_END = 1.2;

/** Kills of each pipeline; `HEADGATE_TEST_KILLS` sets another number. */
export const KILLS = Number(process.env['HEADGATE_TEST_KILLS'] ?? 2);

/** What is killed: the executor with its runners, or the server with all its processes. */
export type Victim = 'executor' | 'server';

/** Both in turn. */
export function victimOf(kill: number): Victim {
  return kill % 2 === 1 ? 'executor' : 'server';
}

export interface KillWorld {
  readonly served: Served;
  /** Creates a connector under a name that is new; gives its id. */
  connector(type: string, config: unknown): Promise<number>;
  /** Creates a job under a name that is new; gives its id. */
  job(templateId: number, connectors: Readonly<Record<string, number>>): Promise<number>;
  /** Starts a job, kills at a random moment of `longMs` where a victim is given, and waits for the end. Throws where a run failed. */
  run(jobId: number, kill: { readonly victim: Victim; readonly longMs: number } | null): Promise<JobRunEnd>;
}

export interface JobRunEnd {
  readonly runIds: readonly number[];
  /** From its start to its end, in milliseconds. */
  readonly tookMs: number;
  /** Attempts beyond the first ones. */
  readonly again: number;
}

interface JobRun {
  readonly status: string;
  readonly runs: readonly {
    readonly id: number;
    readonly status: string;
    readonly attempt: number;
    readonly error: unknown;
  }[];
}

/** A real server with its executor, of which a test kills either at random moments while a job runs. */
export async function killWorld(t: Test): Promise<KillWorld> {
  const { random } = seeded(t);
  const served = await serve(t, { SVC_TEST_LEASE_TTL_MS: '2000', SVC_OUTBOUND_ALLOW: '127.0.0.1' });
  const { api } = served;
  let names = 0;
  const create = async (path: string, body: object) => {
    names += 1;
    return (await api.post<{ id: number }>(path, { name: `n${names}`, ...body })).id;
  };

  return {
    served,
    connector: (type, config) => create('/api/connectors', { type, config }),
    job: (templateId, connector_mapping) =>
      create(`/api/job-templates/${templateId}/jobs`, { connector_mapping }),
    async run(jobId, kill) {
      const from = performance.now();
      const { id } = await api.post<{ id: number }>(`/api/jobs/${jobId}/runs`);
      if (kill !== null) {
        await delay(random() * kill.longMs * BEYOND_END);
        await killHard(served, kill.victim);
      }
      const look = async () => {
        const now = await api.get<JobRun>(`/api/job-runs/${id}`);
        return !['pending', 'queued', 'running'].includes(now.status) && now;
      };
      const ended = await until('the job run ends', ENDED_MS_MAX, look, LOOK_EVERY_MS);
      if (!['success', 'warning'].includes(ended.status)) throw new Error(JSON.stringify(ended));
      return {
        runIds: ended.runs.map((run) => run.id),
        tookMs: performance.now() - from,
        again: ended.runs.reduce((sum, { attempt }) => sum + attempt - 1, 0),
      };
    },
  };
}

/** As a machine that loses its power. */
async function killHard(served: Served, victim: Victim): Promise<void> {
  const pids = served.pids(victim === 'executor' ? 'executor-child' : '');
  if (victim === 'executor') pids.push(...served.pids('runner-entry'));
  else await served.killControlPlane();
  for (const pid of pids) killIfThere(pid);
  if (victim === 'server') await served.restart();
}

/** The processes of one that was killed may have ended by themselves. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
