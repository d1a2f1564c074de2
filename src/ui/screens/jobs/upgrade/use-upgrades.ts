import pMap from 'p-map';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../../../client/api-error.ts';
import { useApi } from '../../../frame/state/api-context.ts';
import type { Plan } from './plan-view.tsx';

/** So many jobs are planned, or upgraded, at a time. */
const atOnceMax = 3;

/** A job by its name. */
export interface NamedJob {
  readonly id: number;
  readonly name: string;
}

/** What an upgrade takes; the rest of a job stays as it is. */
export interface UpgradeParts {
  readonly template: boolean;
  readonly tasks: boolean;
  readonly dashboards: boolean;
}

/**
 * How far one job is. `waiting` and `planning` end in `current` (nothing to do), `planned`, `blocked` (the plan has problems) or
 * `failed`; `upgrading` ends in `upgraded` or `failed`.
 */
export type UpgradePhase =
  | 'waiting'
  | 'planning'
  | 'current'
  | 'planned'
  | 'blocked'
  | 'upgrading'
  | 'upgraded'
  | 'failed';

export interface JobUpgradeItem extends NamedJob {
  readonly phase: UpgradePhase;
  /** The newest one; null until there is one. */
  readonly plan: Plan | null;
  /** Why it failed. */
  readonly error: Error | null;
}

export interface Upgrades {
  /** In the order given; empty before the first plan. */
  readonly items: readonly JobUpgradeItem[];
  /** What is being done; null: nothing. */
  readonly busy: 'planning' | 'upgrading' | null;
  /** Plans these jobs; others that were planned before stay as they are where `keeps`. */
  plan(jobs: readonly NamedJob[], parts: UpgradeParts, keeps?: boolean): Promise<void>;
  /** Applies exactly the plans of these jobs, each whole or not at all. */
  apply(ids: readonly number[], parts: UpgradeParts): Promise<void>;
  /** Nothing more is begun; what was begun is finished. */
  stop(): void;
}

/** Upgrades of many jobs, a few at a time, each by the plan that was shown. Leaving the page begins no more of them. */
export function useUpgrades(): Upgrades {
  const api = useApi();
  const [items, setItems] = useState<readonly JobUpgradeItem[]>([]);
  const [busy, setBusy] = useState<Upgrades['busy']>(null);
  const stopping = useRef(new AbortController());
  useEffect(() => () => stopping.current.abort(), []);

  const set = (id: number, change: Partial<JobUpgradeItem>) =>
    setItems((before) => before.map((item) => (item.id === id ? { ...item, ...change } : item)));

  const each = async (
    what: NonNullable<Upgrades['busy']>,
    ids: readonly number[],
    act: (id: number) => Promise<Partial<JobUpgradeItem>>,
  ) => {
    stopping.current.abort();
    const own = new AbortController();
    stopping.current = own;
    setBusy(what);
    await pMap(
      ids,
      async (id) => {
        if (own.signal.aborted) return;
        set(id, { phase: what, error: null });
        const change = await act(id).catch((error: Error) => {
          // Nobody knows what became of it, and the others would only fail as well.
          if (error instanceof ApiError && error.status === 0) own.abort();
          return { phase: 'failed', error } as const;
        });
        // A later round has its own view of the job.
        if (stopping.current === own) set(id, change);
      },
      { concurrency: atOnceMax },
    );
    if (stopping.current === own) setBusy(null);
  };

  return {
    items,
    busy,
    stop: () => stopping.current.abort(),
    plan(jobs, parts, keeps = false) {
      const ids = new Set(jobs.map(({ id }) => id));
      const fresh = jobs.map((job) => ({ ...job, phase: 'waiting', plan: null, error: null }) as const);
      setItems((before) =>
        keeps
          ? before.map((item) => (ids.has(item.id) ? { ...item, phase: 'waiting', error: null } : item))
          : fresh,
      );
      return each('planning', [...ids], async (id) => {
        const body = { ...bodyOf(parts), dry_run: true };
        const plan = await api.POST('/api/jobs/{id}/upgrade', { params: { path: { id } }, body });
        return { phase: phaseOf(plan), plan };
      });
    },
    apply(ids, parts) {
      const hashes = new Map(items.map(({ id, plan }) => [id, plan?.plan_hash]));
      return each('upgrading', ids, async (id) => {
        const plan_hash = hashes.get(id);
        if (plan_hash === undefined) throw new Error(`Job ${id} has no plan`);
        const body = { ...bodyOf(parts), plan_hash };
        await api.POST('/api/jobs/{id}/upgrade', { params: { path: { id } }, body });
        return { phase: 'upgraded' };
      });
    },
  };
}

function bodyOf({ template, tasks, dashboards }: UpgradeParts) {
  return {
    template,
    ...(!tasks && { tasks: [] }),
    ...(!dashboards && { dashboards: false as const }),
  };
}

function phaseOf({ changed, problems }: Plan): UpgradePhase {
  if (problems.length > 0) return 'blocked';
  return changed ? 'planned' : 'current';
}
