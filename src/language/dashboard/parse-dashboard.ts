import type { Problem } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import type { ConnectorTypes } from '../connector-types.ts';
import { commonDefinitions, type JsonSchema, when } from '../declare/json-schema.ts';
import { map, readMapOf } from '../declare/map.ts';
import type { Rule } from '../declare/rules.ts';
import { flag, reference, text } from '../declare/values.ts';
import { jobConfigDefinitions } from '../template/job-config.ts';
import { DocumentCheck, type DocumentCheckOptions } from '../yaml/document-check.ts';
import { loadYaml, type YamlDocument } from '../yaml/load-yaml.ts';
import { readMap } from '../yaml/map-reader.ts';
import type { YamlLimits } from '../yaml/yaml-guard.ts';
import { formatPath, type Path } from '../yaml/yaml-path.ts';
import { FILTERS } from './filters/filter-declaration.ts';
import { NAVBAR_CTAS, SCOPE, SHARED_QUERIES } from './header.ts';
import { checkNames, PAGES, WIDGETS, widgetDefinitions } from './pages.ts';
import { checkScope } from './scope-check.ts';
import { holdsVariable, loneVariable, substituteVars } from './substitute-vars.ts';
import { checkVariables, declareTemplate, type TemplateNames } from './template-names.ts';
import { refreshInterval } from './widgets/widget-kind.ts';

/** A checked, normalized dashboard document: always pages, never a legacy list. */
export type Dashboard = ReturnType<(typeof DASHBOARD)['from']>;

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
  /** As in `DocumentCheckOptions`. */
  readonly connectorTypes?: ConnectorTypes;
  /** What its names are held against; left out where that is not known. */
  readonly template?: TemplateNames | null;
}

/** Pages, or a list of widgets for one page. */
const LAYOUT: Rule = {
  check: (reader) => {
    if (Object.hasOwn(reader.map, 'pages') && Object.hasOwn(reader.map, 'widgets'))
      reader.wrong('widgets', 'dashboard cannot have both pages and top-level widgets', 'key');
    checkNames(reader);
  },
  schemas: () => [
    when({ required: ['pages'] }, { not: { required: ['widgets'] } }, { required: ['widgets'] }),
  ],
};

const DASHBOARD = map(
  'Pages of widgets.',
  {
    title: text('The heading of the page.'),
    description: text('Text below the heading.'),
    navbar_ctas: NAVBAR_CTAS,
    refresh_interval_seconds: refreshInterval('Refresh interval of an open page, in seconds.', 'never'),
    scope: SCOPE,
    default_scope: reference('The default `scope` profile of its widgets.', 'scope'),
    allow_public_input: flag('Whether forms and actions can be used with the share link.'),
    shared_queries: SHARED_QUERIES,
    filters: FILTERS,
    pages: PAGES,
    widgets: WIDGETS,
  },
  {
    rules: [LAYOUT],
    make: ({ pages, widgets, ...header }) => ({
      ...header,
      pages: pages ?? [{ id: 'main', title: header.title ?? 'Main', public: true, widgets }],
    }),
  },
);

/** The schema of a dashboard's YAML, wrapped in `dashboard:` or bare. */
export function dashboardSchema(): JsonSchema {
  const options = { variables: true };
  const { widget, ...kinds } = widgetDefinitions(options);
  const wrapped: JsonSchema = {
    additionalProperties: false,
    properties: { dashboard: { $ref: '#/$defs/dashboard' } },
  };
  return {
    title: 'Headgate dashboard',
    description: 'Pages of widgets with data from a job’s connectors.',
    type: 'object',
    ...when({ required: ['dashboard'] }, wrapped, { $ref: '#/$defs/dashboard' }),
    $defs: {
      ...commonDefinitions(options),
      ...jobConfigDefinitions(options),
      ...kinds,
      dashboard: DASHBOARD.schema(options),
      widget,
    },
  };
}

/**
 * Parses a dashboard's YAML, under a top-level `dashboard:` or bare. A legacy list of widgets becomes the one page `main`. Never throws:
 * all problems come at once, each with path, line and column; those of the contract have its exact words.
 */
export function parseDashboard(text: string, options: ParseDashboardOptions = {}): ParsedDashboard {
  const loaded = loadYaml(text, options.limits);
  if (!loaded.ok) return loaded;
  const { document } = loaded;
  if (options.vars === undefined) {
    const check = checkOf(document, options, { isPlaceholder: holdsVariable });
    if (options.template) checkVariables(check, document.value, options.template.args);
    return parsedOf(check, readDocument(check, document.value));
  }
  const texts = new Set<string>();
  const first = readWith(document, options.vars, texts, options);
  // A variable that is a number becomes its digits where a text is expected; where that is only the reading tells.
  return texts.size === 0 ? first : readWith(document, options.vars, texts, options);
}

/** Reads the document with variables put in; the paths in `texts` as texts, to which it adds those that should be. */
function readWith(
  document: YamlDocument,
  vars: Readonly<Record<string, unknown>>,
  texts: Set<string>,
  options: ParseDashboardOptions,
): ParsedDashboard {
  const check = checkOf(document, options, {
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

function checkOf(
  document: YamlDocument,
  { connectorTypes, template }: ParseDashboardOptions,
  more: DocumentCheckOptions,
): DocumentCheck {
  const check = new DocumentCheck(document, { ...more, connectorTypes });
  if (template) declareTemplate(check, template);
  return check;
}

function parsedOf(check: DocumentCheck, dashboard: Dashboard | null): ParsedDashboard {
  check.finish();
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
  if (body !== null) {
    const dashboard = readMapOf(check, body, path, DASHBOARD);
    if (dashboard !== null) checkScope(check, dashboard, path);
    return dashboard;
  }
  check.add(path, 'dashboard.widgets must be an array');
  return null;
}
