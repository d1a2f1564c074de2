import { AppError, type Problem, validationError } from '../../base/errors.ts';
import { didYouMean } from '../../base/text/suggest-name.ts';
import type { Column, Conditions, ResourceView } from '../../drivers/driver.ts';
import {
  type ColumnConfig,
  declaredColumns,
  hasLinks,
  isComputed,
  namedColumns,
} from '../../language/dashboard/widgets/rows/row-columns.ts';
import type { PresetInfo, RowsPage } from '../../threads/messages/widget-calls.ts';
import { declaredFilters, filterProblems } from './viewer-filters.ts';
import { searchProblem, searchProblems, searchText } from './viewer-search.ts';

const SEARCH_COLUMNS_MAX = 50;
const NO_COLUMN = 'This widget has no column to search in';

/** What an explorer reads: its author's part is fixed, and a viewer's comes on top. */
export interface ExplorerView {
  /** Null: those that the rows have. */
  readonly columns: readonly ColumnConfig[] | null;
  /** What is fetched of the resource; null for all columns. */
  readonly fetched: readonly string[] | null;
  /** Conditions beside the author's own: of the preset, and of the viewer. */
  readonly where: readonly Conditions[];
  readonly search: { readonly text: string; readonly columns: readonly string[] } | null;
  /** The viewer's order, else the author's, else that of the preset. */
  readonly sort: readonly string[];
}

export interface ExplorerParts {
  readonly config: Readonly<Record<string, unknown>>;
  /** What the call says of the resource; null where only the call as a whole gives its rows. */
  readonly view: ResourceView | null;
  readonly preset: PresetInfo | null;
  readonly page: RowsPage;
  /** The columns of the rows; asked for only where nobody has named columns, and the viewer sorts or searches. */
  readonly describe: () => Promise<readonly Pick<Column, 'name' | 'type'>[]>;
}

/**
 * Puts together what an author, a preset and a viewer say. Throws a `VALIDATION_ERROR` with every sort, filter or search of the
 * viewer that the widget does not offer.
 */
export async function explorerView(parts: ExplorerParts): Promise<ExplorerView> {
  const { config, view, preset, page } = parts;
  const declared = declaredColumns(config);
  const named = nonEmpty(view?.columns) ?? nonEmpty(preset?.columns);
  const columns = declared.length > 0 ? declared : named === null ? null : namedColumns(named);
  const search = searchText(page.search);
  const problems = filterProblems(page.filters, declaredFilters(config));
  let shown: readonly string[] = [];
  if (page.sort !== null || search !== null) {
    shown = columns === null ? await describedNames(parts) : plainNames(columns);
  }
  if (page.sort !== null) problems.push(...sortProblems(page.sort, shown, columns));
  const offered = config['search'] === true;
  problems.push(...searchProblems(search, offered));
  if (search !== null && offered && shown.length === 0) problems.push(searchProblem(NO_COLUMN));
  if (problems.length > 0) throw validationError(problems);
  return {
    columns,
    fetched: fetchedOf(declared, view, named),
    where: [preset?.filter ?? {}, page.filters].filter((conditions) => Object.keys(conditions).length > 0),
    search: search === null ? null : { text: search, columns: shown.slice(0, SEARCH_COLUMNS_MAX) },
    sort: page.sort === null ? (nonEmpty(view?.sort) ?? preset?.sort ?? []) : [page.sort],
  };
}

/** Refuses a preset that is not there, or not of what the widget reads. */
export function requirePreset(name: unknown, preset: PresetInfo | null, connectorId: number): void {
  if (typeof name === 'string' && preset === null) {
    throw new AppError('NOT_FOUND', `There is no preset "${name}" of the connector of this widget`);
  }
  if (preset !== null && preset.connector_id !== connectorId) {
    throw new AppError('VALIDATION_ERROR', `The preset "${preset.name}" is of another connector`);
  }
}

function fetchedOf(
  declared: readonly ColumnConfig[],
  view: ResourceView | null,
  named: readonly string[] | null,
): readonly string[] | null {
  const own = nonEmpty(view?.columns);
  if (own !== null || declared.length === 0) return own ?? named;
  // An expression may read any column of its row.
  const reading = declared.some((column) => isComputed(column) || hasLinks(column));
  return reading ? null : declared.map(({ key }) => key);
}

async function describedNames({ describe }: ExplorerParts): Promise<readonly string[]> {
  return (await describe()).filter(({ type }) => type !== 'binary').map(({ name }) => name);
}

function plainNames(columns: readonly ColumnConfig[]): readonly string[] {
  return columns.filter((column) => !isComputed(column)).map(({ key }) => key);
}

function sortProblems(
  sort: string,
  shown: readonly string[],
  columns: readonly ColumnConfig[] | null,
): readonly Problem[] {
  const name = sort.replace(/^-/, '');
  if (shown.includes(name)) return [];
  const computed = columns?.some(({ key }) => key === name) ?? false;
  const message = computed
    ? `The column "${name}" is worked out for each row, so that rows cannot be sorted by it`
    : `There is no column "${name}" to sort by${didYouMean(name, shown)}`;
  return [{ path: 'sort', message }];
}

function nonEmpty(names: readonly string[] | undefined): readonly string[] | null {
  return names === undefined || names.length === 0 ? null : names;
}
