import type { Clock } from '../../../base/clock.ts';
import { validationError } from '../../../base/errors.ts';
import { sha256 } from '../../../base/ids.ts';
import { canonicalJson, isRecord } from '../../../base/json.ts';
import { parseJsonText } from '../../../base/text/parse-json-text.ts';
import type { ConnectorRef } from '../../../drivers/connection-cache.ts';
import type { ScopeProfile } from '../../../language/dashboard/scope-profile.ts';
import type { Answer, Call } from '../../../threads/messages/calls.ts';
import type { OptionsInput } from '../../../threads/messages/widget-calls.ts';
import { parsedOf } from '../../job-templates/job-template.ts';
import type { ConnectorMapping, JobRow } from '../job.ts';
import { contextOf, mappingOf } from '../job-context.ts';
import { OptionCache } from './option-cache.ts';
import type { InlineOption, OptionPlace } from './option-place.ts';

const ROW_KEYS = ['source_field', 'target_field', 'transform'];

const OPTIONS_PER_PAGE = 50;

type OptionTask = Extract<Call, { readonly kind: 'options' | 'missing_options' }>;

/** The worker host, as far as options need it. */
export interface OptionPool {
  run<T extends OptionTask>(
    call: T,
    options: { readonly signal: AbortSignal; readonly timeoutMs: number },
  ): Promise<Answer<T['kind']>>;
}

export interface OptionTimes {
  /** Longest time of one page in its thread. */
  readonly pageMsMax: number;
  /** Longest time of a question whether values are still offered; without an answer they pass. */
  readonly missingMsMax: number;
}

export const OPTION_TIMES: OptionTimes = { pageMsMax: 10_000, missingMsMax: 5_000 };

export interface JobOptionsDeps {
  readonly clock: Clock;
  readonly pool: OptionPool;
  /** Connectors of a job by template name, with their secrets. */
  readonly connectorRefs: (mapping: ConnectorMapping) => Promise<Readonly<Record<string, ConnectorRef>>>;
  /** Default: `OPTION_TIMES`. */
  readonly times?: OptionTimes;
}

export interface OptionsQuestion {
  readonly q?: string | undefined;
  readonly cursor?: string | undefined;
  /** The draft of the form, the mapping or the input; absent for what is saved. */
  readonly value?: unknown;
}

export type JobOptions = ReturnType<typeof createJobOptions>;

/** Options of a job's forms, mappings and actions: pages of 50, made in the worker host, cached for some seconds. */
export function createJobOptions({ clock, pool, connectorRefs, times = OPTION_TIMES }: JobOptionsDeps) {
  const cache = new OptionCache(clock);

  /** One page as JSON text, a `WidgetOptionsResponse`, under the scope of the widget that asks. `VALIDATION_ERROR` for a cursor of another list. */
  async function page(
    job: JobRow,
    place: OptionPlace,
    question: OptionsQuestion,
    signal: AbortSignal,
    scope: ScopeProfile | null = null,
  ): Promise<string> {
    if (place.inline !== null) return inlinePage(place.inline, question);
    const value = optionDraft(place, question.value);
    if (lacksNeeded(job, place, value)) return pageText([]);
    const input = await inputOf(job, place, value, scope);
    const asked = { q: question.q || null, cursor: question.cursor ?? null, limit: OPTIONS_PER_PAGE };
    return cache.page(keyOf(job, input, asked), signal, (working) =>
      pool.run(
        { kind: 'options', input: { ...input, ...asked } },
        { signal: working, timeoutMs: times.pageMsMax },
      ),
    );
  }

  /**
   * Which of `values` are not offered, for this draft; none where the source has more than one page, or does not answer. Without what the options
   * depend on, nothing is offered.
   */
  async function missing(
    job: JobRow,
    place: OptionPlace,
    draft: unknown,
    values: readonly string[],
    signal: AbortSignal,
    scope: ScopeProfile | null = null,
  ): Promise<readonly string[]> {
    if (place.source === null || values.length === 0) return [];
    const value = optionDraft(place, draft);
    if (lacksNeeded(job, place, value)) return values;
    const input = { ...(await inputOf(job, place, value, scope)), values };
    try {
      const options = { signal, timeoutMs: times.missingMsMax };
      return (await pool.run({ kind: 'missing_options', input }, options)).missing ?? [];
    } catch {
      signal.throwIfAborted();
      return [];
    }
  }

  async function inputOf(
    job: JobRow,
    place: OptionPlace,
    value: unknown,
    scope: ScopeProfile | null,
  ): Promise<Omit<OptionsInput, 'q' | 'cursor' | 'limit'>> {
    const source = place.source ?? {};
    const name = source['connector'];
    const template = parsedOf(job);
    return {
      connectors: await connectorRefs(mappingOf(job, typeof name === 'string' ? [name] : [])),
      connectorNames: Object.keys(template.connectors),
      context: contextOf(job, template),
      scope,
      entryKey: place.entryKey,
      source,
      labelExpr: place.labelExpr,
      valueExpr: place.valueExpr,
      value,
    };
  }

  return { page, missing };
}

/** Everything that the page depends on. Of a connector its id and version stand for the configuration, which holds secrets. */
function keyOf(
  job: JobRow,
  { connectors, context, ...input }: Omit<OptionsInput, 'q' | 'cursor' | 'limit'>,
  asked: Pick<OptionsInput, 'q' | 'cursor' | 'limit'>,
): string {
  const versions = Object.entries(connectors).map(([name, { id, version }]) => [name, id, version]);
  return sha256(canonicalJson([job.config_version, context.job, context.args, versions, input, asked]));
}

/** A field that the options depend on is empty: there is nothing to ask for yet. */
function lacksNeeded(job: JobRow, { entryKey, needs }: OptionPlace, value: unknown): boolean {
  if (needs.length === 0) return false;
  const saved = (parseJsonText(job.config_json) as Record<string, unknown>)[entryKey];
  const draft = isRecord(value) ? value : isRecord(saved) ? saved : {};
  return needs.some((name) => isEmpty(Object.hasOwn(draft, name) ? draft[name] : null));
}

function isEmpty(value: unknown): boolean {
  return (
    value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  );
}

/** All of an author's own options at once: the server filters them. */
function inlinePage(options: readonly InlineOption[], { q, cursor }: OptionsQuestion): string {
  if (cursor !== undefined) {
    const message = 'The cursor belongs to another list: start without it';
    throw validationError([{ path: 'cursor', message }]);
  }
  const wanted = q?.toLowerCase() ?? '';
  const matches = ({ label, value }: InlineOption) =>
    label.toLowerCase().includes(wanted) || value.toLowerCase().includes(wanted);
  return pageText(options.filter(matches).map(({ label, value }) => ({ label, value })));
}

function pageText(options: readonly InlineOption[]): string {
  return JSON.stringify({ options, next_cursor: null });
}

/**
 * A draft as the expressions of an option source may read it: the fields of its form with values of their types, else null, or rows of
 * texts, and nothing else. A map or a list instead of a text would become a condition of the sender's own in the source's arguments,
 * such as `{"ne": "x"}` in a filter. Null where there is no draft.
 */
function optionDraft({ fields }: Pick<OptionPlace, 'fields'>, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (fields === null) return Array.isArray(value) ? value.filter(isRecord).map(textsOfRow) : [];
  if (!isRecord(value)) return {};
  const filled = fields.filter(({ key }) => Object.hasOwn(value, key));
  // Null, not absent, where a value does not fit: a condition without a value would be none.
  return Object.fromEntries(filled.map(({ key, type }) => [key, fittingValue(type, value[key])]));
}

function fittingValue(type: string, value: unknown): unknown {
  switch (type) {
    case 'number':
      return typeof value === 'number' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'multi_select':
      return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : null;
    default:
      return typeof value === 'string' ? value : null;
  }
}

function textsOfRow(row: Readonly<Record<string, unknown>>): Readonly<Record<string, string | null>> {
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return Object.fromEntries(ROW_KEYS.map((key) => [key, Object.hasOwn(row, key) ? text(row[key]) : null]));
}
