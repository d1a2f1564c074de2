import { createRedactor, type Redactor } from '../../base/text/redactor.ts';
import type { Db } from '../../store/store.ts';

/** Runs whose secrets or redactor are remembered; the least recently used is forgotten. */
const RUNS_MAX = 1_000;

/** What runs must not show: the secrets of their connectors. Whatever a run tells passes through its redactor. */
export interface RunSecrets {
  /** Asked once per attempt: its executor works with the connectors as they were then. A run that is gone has none. */
  secretsOf(runId: number, attempt: number): Promise<readonly string[]>;
  redactorOf(runId: number, attempt: number): Promise<Redactor>;
}

export interface RunSecretsDeps {
  readonly store: { readonly read: Db };
  /** Every secret text of these connectors (local name to id). */
  readonly connectorSecrets: (connectors: Readonly<Record<string, number>>) => Promise<readonly string[]>;
}

interface Known {
  readonly attempt: number;
  readonly secrets: Promise<readonly string[]>;
  redactor: Redactor | null;
}

export function createRunSecrets(deps: RunSecretsDeps): RunSecrets {
  /** The least recently used first. */
  const known = new Map<number, Known>();

  function remembered(runId: number, attempt: number): Known {
    let entry = known.get(runId);
    known.delete(runId);
    if (entry?.attempt !== attempt) {
      const oldest = known.size >= RUNS_MAX ? known.keys().next().value : undefined;
      if (oldest !== undefined) known.delete(oldest);
      const made: Known = { attempt, secrets: load(deps, runId), redactor: null };
      made.secrets.catch(() => {
        if (known.get(runId) === made) known.delete(runId);
      });
      entry = made;
    }
    known.set(runId, entry);
    return entry;
  }

  return {
    secretsOf: (runId, attempt) => remembered(runId, attempt).secrets,
    async redactorOf(runId, attempt) {
      const entry = remembered(runId, attempt);
      const secrets = await entry.secrets;
      entry.redactor ??= createRedactor(secrets);
      return entry.redactor;
    },
  };
}

async function load({ store, connectorSecrets }: RunSecretsDeps, runId: number): Promise<readonly string[]> {
  const run = await store.read
    .selectFrom('runs')
    .select('connectors_json')
    .where('id', '=', runId)
    .executeTakeFirst();
  if (run === undefined) return [];
  const connectors = JSON.parse(run.connectors_json) as Record<string, number>;
  return Object.keys(connectors).length === 0 ? [] : connectorSecrets(connectors);
}

interface Entry {
  readonly attempt: number;
  readonly redactor: Redactor;
}

/** The redactors of the runs that log now, where asking for one takes a question to another thread. */
export class RunRedactors {
  /** The least recently used first. */
  readonly #entries = new Map<number, Entry>();
  #last: { readonly runId: number; readonly entry: Entry } | null = null;

  /** Null where it has to be asked for. */
  get(runId: number, attempt: number): Redactor | null {
    if (this.#last?.runId === runId && this.#last.entry.attempt === attempt) return this.#last.entry.redactor;
    const entry = this.#entries.get(runId);
    if (entry?.attempt !== attempt) return null;
    this.#entries.delete(runId);
    this.#entries.set(runId, entry);
    this.#last = { runId, entry };
    return entry.redactor;
  }

  set(runId: number, attempt: number, secrets: readonly string[]): void {
    this.#last = null;
    this.#entries.delete(runId);
    const oldest = this.#entries.size >= RUNS_MAX ? this.#entries.keys().next().value : undefined;
    if (oldest !== undefined) this.#entries.delete(oldest);
    this.#entries.set(runId, { attempt, redactor: createRedactor(secrets) });
  }
}
