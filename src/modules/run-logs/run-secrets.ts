import { createRedactor, type Redactor } from '../../base/text/redactor.ts';
import type { Db } from '../../store/store.ts';

/** Runs whose secrets are remembered; the one that was asked for longest ago is forgotten. */
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
