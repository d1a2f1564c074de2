import { AppError, validationError } from '../../base/errors.ts';
import type { Outbound } from '../../base/outbound/outbound.ts';
import { OutboundError } from '../../base/outbound/outbound-error.ts';
import type { Tx } from '../../store/store.ts';
import type { WebhookSettings } from './webhook.ts';
import { countWebhooks, selectIds } from './webhook-store.ts';

const RECEIVERS_MAX = 100;

/** A caller's settings of a receiver; on a change, keys that are left out keep their value. */
export type ReceiverInput = { readonly [K in keyof WebhookSettings]?: WebhookSettings[K] | undefined };

/** The settings of a new receiver where its maker names none. */
export const FRESH_RECEIVER = {
  description: null,
  job_ids: null,
  template_ids: null,
  labels: null,
  dead_letters_over: 0,
  enabled: true,
} as const;

/** The input over the settings before, with lists in order and without repetition. */
export function settled(input: ReceiverInput, base: WebhookSettings): WebhookSettings {
  const events = input.events ?? base.events;
  return {
    name: input.name ?? base.name,
    description: input.description === undefined ? base.description : input.description,
    url: input.url ?? base.url,
    events: events === '*' ? events : [...new Set(events)].sort(),
    job_ids: sorted(input.job_ids === undefined ? base.job_ids : input.job_ids),
    template_ids: sorted(input.template_ids === undefined ? base.template_ids : input.template_ids),
    labels: distinct(input.labels === undefined ? base.labels : input.labels),
    dead_letters_over: input.dead_letters_over ?? base.dead_letters_over,
    enabled: input.enabled ?? base.enabled,
  };
}

/** `CONFLICT` where there are as many receivers as there may be. */
export async function requireRoom(tx: Tx): Promise<void> {
  if ((await countWebhooks(tx)) >= RECEIVERS_MAX)
    throw new AppError(
      'CONFLICT',
      `There are ${RECEIVERS_MAX} webhooks and channels already: delete one first`,
    );
}

type Scope = Pick<WebhookSettings, 'job_ids' | 'template_ids'>;

/** `VALIDATION_ERROR` for unknown jobs and templates. Deleted ones may stay, so that a receiver can be changed without removing them. */
export async function requireScope(tx: Tx, after: Scope, before: Scope | null = null): Promise<void> {
  const problems: { path: string; message: string }[] = [];
  for (const [path, table, noun] of SCOPES) {
    const had = new Set(before?.[path]);
    const added = (after[path] ?? []).filter((id) => !had.has(id));
    const found = await selectIds(tx, table, added);
    for (const id of added)
      if (!found.has(id)) problems.push({ path, message: `There is no ${noun} "${id}"` });
  }
  if (problems.length > 0) throw validationError(problems);
}

const SCOPES = [
  ['job_ids', 'jobs', 'job'],
  ['template_ids', 'job_templates', 'job template'],
] as const;

/** `VALIDATION_ERROR` for an address that the server may not reach, as far as can be said without a look-up. */
export function requireReachable(checkUrl: Outbound['checkUrl'], url: string, path = 'url'): void {
  try {
    checkUrl(url);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw validationError([{ path, message: error.message }]);
  }
}

function distinct(texts: readonly string[] | null): string[] | null {
  return texts === null ? null : [...new Set(texts)].sort();
}

function sorted(ids: readonly number[] | null): number[] | null {
  return ids === null ? null : [...new Set(ids)].sort((a, b) => a - b);
}
