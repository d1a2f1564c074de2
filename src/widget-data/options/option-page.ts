import { AppError } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import type { OpenConnector } from '../../drivers/connection-cache.ts';
import { ConnectorError, type ResourceView } from '../../drivers/driver.ts';
import { readOnlyCall } from '../../drivers/read-only-call.ts';
import { scopeArgs } from '../../drivers/scope/scope-args.ts';
import { ExpressionError, type Scope } from '../../language/expression/expression.ts';
import type { OptionsSource } from '../../language/template/options-source.ts';
import type { Answer, Input } from '../../threads/messages/calls.ts';
import type { OptionsInput } from '../../threads/messages/widget-calls.ts';
import { boundCursor, offsetOf, placeAfter } from '../explorer/bound-cursor.ts';
import { resourceView } from '../explorer/resource-view.ts';
import { callRowsMax, connectorNamed, scopeFields } from '../ready-call.ts';
import type { WidgetKit } from '../widget-kit.ts';
import { optionsOf, searchOptions, type WidgetOption } from './option-list.ts';
import { draftOf, lacksDependency, optionScope } from './option-scope.ts';

const OPTIONS_MAX = 1_000;

/** A `WidgetOptionsResponse`. */
export interface OptionPage {
  readonly options: readonly WidgetOption[];
  readonly next_cursor: string | null;
}

interface Source {
  readonly source: OptionsSource;
  readonly scope: Scope;
  /** Evaluated, with the search text where the source searches itself. */
  readonly args: unknown;
  /** To be searched for among the options here; null for none. */
  readonly q: string | null;
  readonly limit: number;
  readonly place: string | null;
  readonly signal: AbortSignal;
}

interface Found {
  readonly options: readonly WidgetOption[];
  readonly place: string | null;
}

const PAGE_OPTIONS_MAX = 1_000;
const EMPTY: OptionPage = { options: [], next_cursor: null };

/**
 * One page of options, read-only. A source that can be paged through is, with its own cursor; another is read as a whole, up to
 * 10,000 rows. Without all that it depends on, an empty page and no call. Throws `ConnectorError`, `ExpressionError`, and a
 * `VALIDATION_ERROR` for the cursor of another query.
 */
export async function optionPage(
  kit: WidgetKit,
  input: OptionsInput,
  signal: AbortSignal,
): Promise<OptionPage> {
  const source = kit.optionsSource(input.source, input.labelExpr, input.valueExpr);
  if (source === null) throw new AppError('VALIDATION_ERROR', 'There is no "options_source" here');
  if (lacksDependency(source.dependsOn, input)) return EMPTY;
  const connector = connectorNamed(input.connectors, source.connector);
  const scope = optionScope(input);
  const q = input.q === null || input.q.trim() === '' ? null : input.q.trim();
  const param = source.search?.param ?? null;
  const rendered = await kit.templates.render(source.args, scope);
  const args = q !== null && param !== null ? withSearch(rendered, param, q) : rendered;
  // By what is saved: a draft is the sender's own.
  const fields = await scopeFields(kit, input.scope, source.connector, input);
  const cursor = boundCursor([
    'options',
    connector,
    [input.entryKey, input.source, input.labelExpr, input.valueExpr],
    args,
    fields,
    q,
    draftOf(input),
  ]);
  const place = cursor.open(input.cursor);
  const limit = Math.max(1, Math.min(input.limit, PAGE_OPTIONS_MAX));
  const asked = { source, scope, q: param === null ? q : null, limit, place, signal };
  const found = await kit.connections.use(connector, (open) =>
    findOptions({ ...asked, args: scopeArgs(open.driver, source.method, args, fields) }, open),
  );
  return { options: found.options, next_cursor: cursor.wrap(found.place) };
}

async function findOptions(asked: Source, open: OpenConnector): Promise<Found> {
  const { source, args, q } = asked;
  if (source.search?.onFrontend) return onePage(asked, open);
  // What is to be searched here has to be here as a whole.
  const view = q === null ? resourceView(open.driver, source.method, args) : null;
  return view === null ? fromWhole(asked, open) : fromDriver(asked, view, open);
}

async function fromDriver(
  { source, scope, limit, place, signal }: Source,
  view: ResourceView,
  { connection }: OpenConnector,
): Promise<Found> {
  const page = await connection.page({ ...view, limit, ...(place !== null && { cursor: place }), signal });
  return { options: await optionsOf(source, page.rows, scope), place: page.next_cursor };
}

async function fromWhole(asked: Source, open: OpenConnector): Promise<Found> {
  const { q, limit, place } = asked;
  const all = await allOptions(asked, open);
  const matching = q === null ? all : searchOptions(all, q);
  const offset = offsetOf(place);
  return {
    options: matching.slice(offset, offset + limit),
    place: placeAfter(offset, limit, matching.length),
  };
}

/** Everything at once, to be searched by whoever asked. */
async function onePage(asked: Source, open: OpenConnector): Promise<Found> {
  const { source, args, q, signal } = asked;
  const view = source.transform === null ? resourceView(open.driver, source.method, args) : null;
  const most = PAGE_OPTIONS_MAX.toLocaleString('en-US');
  const refusal = new ConnectorError(
    'CONFIG',
    `"${source.method}" gives more than ${most} options: let the server search with "search.param" instead of "on_frontend"`,
  );
  let all: readonly WidgetOption[];
  if (view === null) {
    all = await allOptions(asked, open);
    if (all.length > PAGE_OPTIONS_MAX) throw refusal;
  } else {
    const page = await open.connection.page({ ...view, limit: PAGE_OPTIONS_MAX, signal });
    if (page.next_cursor !== null) throw refusal;
    all = await optionsOf(source, page.rows, asked.scope);
  }
  return { options: q === null ? all : searchOptions(all, q), place: null };
}

async function allOptions(
  { source, scope, args, signal }: Source,
  { driver, connection }: OpenConnector,
): Promise<readonly WidgetOption[]> {
  const { method } = source;
  const rows = await readOnlyCall(driver, connection, { method, args, rowsMax: callRowsMax, signal });
  return optionsOf(source, rows, scope);
}

/**
 * The arguments of an option source with a search text put where `search.param` says: an argument, or a dotted path into one
 * (`filter.name.contains`). Throws `CONFIG` where the path leads into what is no map.
 */
function withSearch(args: unknown, param: string, text: string): unknown {
  return withValue(args, param.split('.'), text, param);
}

function withValue(at: unknown, path: readonly string[], text: string, param: string): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return text;
  const map = at ?? {};
  if (!isRecord(map) || key === '' || key === '__proto__') {
    throw new ConnectorError('CONFIG', `The "search.param" "${param}" leads to nothing that can hold a text`);
  }
  const own = Object.hasOwn(map, key) ? map[key] : undefined;
  return { ...map, [key]: withValue(own, rest, text, param) };
}

/** Which values an option source does not give; null where it has more than 1,000 options, or cannot say. */
export async function missingOptions(
  kit: WidgetKit,
  { values, ...input }: Input<'missing_options'>,
  signal: AbortSignal,
): Promise<Answer<'missing_options'>> {
  try {
    const asked = { ...input, q: null, cursor: null, limit: OPTIONS_MAX };
    const { options, next_cursor } = await optionPage(kit, asked, signal);
    if (next_cursor !== null) return { missing: null };
    const known = new Set(options.map(({ value }) => value));
    return { missing: values.filter((value) => !known.has(value)) };
  } catch (error) {
    signal.throwIfAborted();
    const expected =
      error instanceof ConnectorError || error instanceof ExpressionError || error instanceof AppError;
    if (!expected) throw error;
    return { missing: null };
  }
}
