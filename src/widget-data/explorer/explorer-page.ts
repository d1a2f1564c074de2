import { validationError } from '../../base/errors.ts';
import type { OpenConnector } from '../../drivers/connection-cache.ts';
import { type Column, ConnectorError, type ResourceView, type Row } from '../../drivers/driver.ts';
import { readOnlyCall } from '../../drivers/read-only-call.ts';
import { scopeArgs } from '../../drivers/scope/scope-args.ts';
import { UnfitValueError } from '../../drivers/types/unfit-value-error.ts';
import type { Widget } from '../../language/dashboard/pages.ts';
import type { Dashboard } from '../../language/dashboard/parse-dashboard.ts';
import { profileOf } from '../../language/dashboard/scope-profile.ts';
import type { PayloadInput } from '../../language/dashboard/widgets/payload-input.ts';
import {
  addLinks,
  type ColumnConfig,
  type ColumnView,
  cellsOf,
  columnsOf,
  columnViews,
  keysOf,
  linkKeysOf,
  namedColumns,
} from '../../language/dashboard/widgets/rows/row-columns.ts';
import type { RowsPage, WidgetInput } from '../../threads/messages/widget-calls.ts';
import { selectRows } from '../memory-rows.ts';
import { callRowsMax, identityOf, type ReadyCall, readyCall } from '../ready-call.ts';
import type { WidgetKit } from '../widget-kit.ts';
import { boundCursor, offsetOf, placeAfter } from './bound-cursor.ts';
import { type ExplorerView, explorerView, requirePreset } from './explorer-view.ts';
import { argsForResource, resourceView } from './resource-view.ts';

/** A page of a table or an explorer. */
export interface RowsAnswer {
  readonly columns: readonly ColumnView[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly next_cursor: string | null;
  /** Rows that match, on all pages; left out where they are not counted. */
  readonly total?: number;
}

/** Rows as they were found, before anything of them is evaluated. */
interface FoundRows {
  readonly rows: readonly Row[];
  /** The same for every page, where the rows are there as a whole. */
  readonly names: readonly string[];
  /** With their types, where the driver knows them. */
  readonly columns: readonly Column[];
  readonly place: string | null;
  readonly total?: number;
}

interface Explorer {
  readonly kit: WidgetKit;
  readonly widget: Widget;
  readonly input: WidgetInput;
  readonly page: RowsPage;
  readonly call: ReadyCall;
  readonly signal: AbortSignal;
}

const PAGE_ROWS_DEFAULT = 50;

/** The page that an explorer opens with. */
export function firstPage({ config }: Widget): RowsPage {
  const size = config['page_size'];
  const limit = typeof size === 'number' ? size : PAGE_ROWS_DEFAULT;
  return { limit, cursor: null, sort: null, search: null, filters: {} };
}

/**
 * One page of an explorer: through the driver where it can, else from the call as a whole. The scope and the author's conditions
 * are in the call; a viewer's only narrow it. Throws `ConnectorError`, `ExpressionError`, and a `VALIDATION_ERROR` for a sort, a
 * filter, a search or a cursor that the widget does not offer.
 */
export async function explorerPage(
  kit: WidgetKit,
  document: Dashboard,
  widget: Widget,
  input: WidgetInput,
  page: RowsPage,
  signal: AbortSignal,
): Promise<RowsAnswer> {
  const { binding } = widget;
  if (binding.kind !== 'call') {
    throw new ConnectorError('CONFIG', `The explorer "${widget.id}" needs a "connector" to page through`);
  }
  const call = await readyCall(kit, binding.call, profileOf(document, widget), input);
  requirePreset(widget.config['preset'], input.preset ?? null, call.connector.id);
  const explorer = { kit, widget, input, page, call, signal };
  return kit.connections.use(call.connector, (open) => pageWith(explorer, binding.transform_expr, open));
}

async function pageWith(
  explorer: Explorer,
  transform: string | null,
  open: OpenConnector,
): Promise<RowsAnswer> {
  const { widget, input, page, call, signal } = explorer;
  const { driver } = open;
  const preset = input.preset ?? null;
  const args = preset === null ? call.args : argsOfPreset(explorer, open, preset);
  const scoped = scopeArgs(driver, call.method, args, call.fields);
  // A transform is over all rows: what it makes of one page would be something else.
  const view = transform === null ? resourceView(driver, call.method, scoped) : null;
  let whole: Promise<unknown> | undefined;
  const data = () => {
    whole ??= wholeData(explorer, transform, open, scoped);
    return whole;
  };
  const wanted = await explorerView({
    config: widget.config,
    view,
    preset,
    page,
    describe: async () => (view === null ? namesIn(await data()) : columnsOfResource(open, view, signal)),
  });
  const cursor = boundCursor([
    'explorer',
    input.documentKey,
    widget.id,
    identityOf({ ...call, args: scoped }),
    [wanted.fetched, wanted.where, wanted.search, wanted.sort, transform],
  ]);
  const place = cursor.open(page.cursor);
  const found =
    view === null
      ? foundIn(await data(), call.method, wanted, page.limit, place)
      : await foundBy(open, view, wanted, page.limit, place, signal).catch((error: unknown) => {
          throw blamed(error, page);
        });
  const shown = await show(explorer, wanted.columns, found);
  return {
    ...shown,
    next_cursor: cursor.wrap(found.place),
    ...(found.total === undefined ? {} : { total: found.total }),
  };
}

/** Values that a column cannot be compared with are the viewer's fault, where there are filters. */
function blamed(error: unknown, { filters }: RowsPage): unknown {
  if (!(error instanceof UnfitValueError) || Object.keys(filters).length === 0) return error;
  return validationError([{ path: 'filters', message: 'A filter has a value that its column cannot hold' }]);
}

function argsOfPreset(
  { call }: Explorer,
  { driver }: OpenConnector,
  preset: { name: string; resource: string },
) {
  const args = argsForResource(driver, call.method, call.args, preset.resource);
  if (args !== null) return args;
  throw new ConnectorError(
    'CONFIG',
    `The preset "${preset.name}" is of "${preset.resource}", which "${call.method}" of this widget does not read`,
  );
}

async function wholeData(
  { kit, input, call, signal }: Explorer,
  transform: string | null,
  { driver, connection }: OpenConnector,
  args: unknown,
): Promise<unknown> {
  const { method } = call;
  const data = await readOnlyCall(driver, connection, { method, args, rowsMax: callRowsMax, signal });
  if (transform === null) return data;
  return kit.expressions.of(transform).evaluate({ ...input.context, data });
}

/** By a page of it: the only resource of a connector has no name to describe it by. */
async function columnsOfResource(
  { connection }: OpenConnector,
  { resource }: ResourceView,
  signal: AbortSignal,
): Promise<readonly Column[]> {
  return (await connection.page({ resource, limit: 1, signal })).columns;
}

function namesIn(data: unknown): readonly Pick<Column, 'name' | 'type'>[] {
  return keysOf(Array.isArray(data) ? data : [data]).map((name) => ({ name, type: 'unknown' as const }));
}

function foundIn(
  data: unknown,
  method: string,
  { where, search, sort }: ExplorerView,
  limit: number,
  place: string | null,
): FoundRows {
  const rows = selectRows(data, method, { where, search, sort });
  const offset = offsetOf(place);
  const total = rows.length;
  return {
    rows: rows.slice(offset, offset + limit),
    names: namesIn(data).map(({ name }) => name),
    columns: [],
    place: placeAfter(offset, limit, total),
    total,
  };
}

async function foundBy(
  { connection }: OpenConnector,
  view: ResourceView,
  { fetched, where, search, sort }: ExplorerView,
  limit: number,
  place: string | null,
  signal: AbortSignal,
): Promise<FoundRows> {
  const { resource, filter } = view;
  const page = await connection.page({
    resource,
    ...(filter && { filter }),
    ...(fetched && { columns: fetched }),
    where,
    ...(search && { search }),
    sort,
    limit,
    ...(place !== null && { cursor: place }),
    signal,
  });
  const names = page.columns.map(({ name }) => name);
  return { rows: page.rows, names, columns: page.columns, place: page.next_cursor };
}

async function show(
  { kit, widget, input }: Explorer,
  columns: readonly ColumnConfig[] | null,
  found: FoundRows,
): Promise<Pick<RowsAnswer, 'columns' | 'rows'>> {
  const { rows } = found;
  const payload: PayloadInput = {
    config: widget.config,
    data: rows,
    scope: { ...input.context },
    expressions: kit.expressions,
  };
  const shown = columns ?? (found.names.length > 0 ? namedColumns(found.names) : columnsOf(payload, rows));
  const linkKeys = linkKeysOf(shown);
  const cells = [];
  for (const [index, item] of rows.entries()) {
    const row = { item, index, cells: await cellsOf(payload, shown, { item, index }) };
    await addLinks(payload, shown, linkKeys, row);
    cells.push(row.cells);
  }
  const types = new Map(found.columns.map(({ name, type }) => [name, type]));
  return { columns: columnViews(shown, linkKeys, types), rows: cells };
}
