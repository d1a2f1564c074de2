import type { Problem } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { DocumentCheck } from '../yaml/document-check.ts';
import { loadYaml, type YamlDocument } from '../yaml/load-yaml.ts';
import { type MapReader, readMap, typeName } from '../yaml/map-reader.ts';
import type { YamlLimits } from '../yaml/yaml-guard.ts';
import { formatPath, type Path } from '../yaml/yaml-path.ts';
import type { Dashboard, DashboardPage, Widget } from './dashboard.ts';
import { readCtas, readScope, readSharedQueries } from './read-header.ts';
import { REFRESH_SECONDS, readWidget, type WidgetContext } from './read-widget.ts';
import { holdsVariable, loneVariable, substituteVars } from './substitute-vars.ts';

export type ParsedDashboard =
  | { readonly ok: true; readonly dashboard: Dashboard }
  | { readonly ok: false; readonly problems: readonly Problem[] };

export interface ParseDashboardOptions {
  /**
   * Values of `${NAME}`: a job's arguments. Without them variables stay as they stand, and what they will be is not checked: that
   * is how a dashboard template is validated.
   */
  readonly vars?: Readonly<Record<string, unknown>>;
  readonly limits?: Partial<YamlLimits>;
}

const PAGES_MAX = 100;
const WIDGETS_MAX = 500;

const DASHBOARD_KEYS = {
  keys: [
    'title',
    'description',
    'navbar_ctas',
    'refresh_interval_seconds',
    'scope',
    'default_scope',
    'allow_public_input',
    'shared_queries',
    'pages',
    'widgets',
  ],
};

/**
 * Parses a dashboard's YAML, under a top-level `dashboard:` or bare. A legacy list of widgets becomes the one page `main`. Never throws:
 * all problems come at once, each with path, line and column; those of the contract have its exact words.
 */
export function parseDashboard(text: string, options: ParseDashboardOptions = {}): ParsedDashboard {
  const { vars, limits } = options;
  const loaded = loadYaml(text, limits);
  if (!loaded.ok) return loaded;
  const { document } = loaded;
  if (vars === undefined) {
    const check = new DocumentCheck(document, { isPlaceholder: holdsVariable });
    return parsedOf(check, readDocument(check, document.value));
  }
  const texts = new Set<string>();
  const first = readWith(document, vars, texts);
  // A variable that is a number stands for its digits where a text is wanted; where that is only the reading tells.
  return texts.size === 0 ? first : readWith(document, vars, texts);
}

/** Reads the document with variables put in; the paths in `texts` as texts, to which it adds those that should be. */
function readWith(
  document: YamlDocument,
  vars: Readonly<Record<string, unknown>>,
  texts: Set<string>,
): ParsedDashboard {
  const check = new DocumentCheck(document, {
    isText: (path) => {
      if (loneVariable(valueAt(document.value, path)) === null) return false;
      texts.add(formatPath(path));
      return true;
    },
  });
  const value = substituteVars(
    document.value,
    vars,
    (path, message) => check.add(path, message),
    (path) => texts.has(formatPath(path)),
  );
  return parsedOf(check, readDocument(check, value));
}

function parsedOf(check: DocumentCheck, dashboard: Dashboard | null): ParsedDashboard {
  return dashboard === null || check.failed
    ? { ok: false, problems: check.problems }
    : { ok: true, dashboard };
}

function valueAt(value: unknown, path: Path): unknown {
  let found = value;
  for (const part of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, part)) return undefined;
    found = (found as Readonly<Record<string | number, unknown>>)[part];
  }
  return found;
}

function readDocument(check: DocumentCheck, value: unknown): Dashboard | null {
  const wrapped = isRecord(value) && Object.hasOwn(value, 'dashboard');
  if (wrapped) readMap(check, value, [], { keys: ['dashboard'] });
  const body = wrapped ? value['dashboard'] : value;
  const path: Path = wrapped ? ['dashboard'] : [];
  if (body === null) {
    check.add(path, 'dashboard.widgets must be an array');
    return null;
  }
  const reader = readMap(check, body, path, DASHBOARD_KEYS);
  if (reader === null) return null;
  const title = reader.text('title');
  const scope = readScope(reader);
  const shared_queries = readSharedQueries(reader);
  const context: WidgetContext = {
    profiles: Object.keys(scope),
    sharedQueries: Object.keys(shared_queries),
    widgetIds: new Set(),
  };
  return {
    title,
    description: reader.text('description'),
    navbar_ctas: readCtas(reader),
    refresh_interval_seconds: reader.number('refresh_interval_seconds', REFRESH_SECONDS),
    scope,
    default_scope: readDefaultScope(reader, context.profiles),
    allow_public_input: reader.flag('allow_public_input'),
    shared_queries,
    pages: readPages(reader, title, context),
  };
}

function readDefaultScope(reader: MapReader, profiles: readonly string[]): string | null {
  const name = reader.text('default_scope');
  if (name !== null && !reader.check.isPlaceholder(name) && !profiles.includes(name)) {
    reader.wrong('default_scope', `default_scope "${name}" is not defined in scope`);
  }
  return name;
}

function readPages(
  reader: MapReader,
  title: string | null,
  context: WidgetContext,
): readonly DashboardPage[] {
  const hasPages = Object.hasOwn(reader.map, 'pages');
  const pages = reader.value('pages');
  const widgets = reader.value('widgets');
  if (hasPages && Object.hasOwn(reader.map, 'widgets')) {
    reader.wrong('widgets', 'dashboard cannot have both pages and top-level widgets', 'key');
    if (Array.isArray(widgets)) readWidgets(reader, widgets, { ...context, widgetIds: new Set() });
  }
  if (!hasPages) {
    if (!Array.isArray(widgets)) {
      reader.wrong('widgets', 'dashboard.widgets must be an array');
      return [];
    }
    const list = readWidgets(reader, widgets, context);
    return [{ id: 'main', title: title ?? 'Main', public: true, widgets: list }];
  }
  if (!Array.isArray(pages) || pages.length === 0) {
    reader.wrong('pages', 'dashboard.pages must be a non-empty array');
    return [];
  }
  if (pages.length > PAGES_MAX) reader.wrong('pages', `"pages" has more than ${PAGES_MAX} items`);
  const ids = new Set<string>();
  return pages
    .slice(0, PAGES_MAX)
    .flatMap((page, index) => readPage(reader, page, index, ids, context) ?? []);
}

function readPage(
  reader: MapReader,
  value: unknown,
  index: number,
  ids: Set<string>,
  context: WidgetContext,
): DashboardPage | null {
  const keys = { keys: ['id', 'title', 'widgets', 'public'] };
  const path = reader.at('pages', index);
  if (!isRecord(value)) {
    reader.check.add(path, `dashboard.pages[${index}] must be a map, not ${typeName(value)}`);
    return null;
  }
  const page = readMap(reader.check, value, path, keys);
  if (page === null) return null;
  for (const key of ['id', 'title']) {
    if (!page.has(key) || page.value(key) === '')
      page.wrong(key, `dashboard.pages[${index}].${key} is required`);
  }
  const id = page.value('id') === '' ? '' : (page.name('id', 'key') ?? '');
  if (id !== '' && ids.has(id)) page.wrong('id', `Duplicate page id: ${id}`);
  ids.add(id);
  const widgets = page.value('widgets');
  if (!Array.isArray(widgets)) page.wrong('widgets', `dashboard.pages[${index}].widgets must be an array`);
  return {
    id,
    title: page.text('title') ?? '',
    public: page.flag('public', true),
    widgets: Array.isArray(widgets) ? readWidgets(page, widgets, context) : [],
  };
}

function readWidgets(reader: MapReader, list: readonly unknown[], context: WidgetContext): readonly Widget[] {
  if (list.length > WIDGETS_MAX) reader.wrong('widgets', `"widgets" has more than ${WIDGETS_MAX} items`);
  return list
    .slice(0, WIDGETS_MAX)
    .flatMap(
      (item, index) => readWidget(reader.check, item, reader.at('widgets', index), index, context) ?? [],
    );
}
