import type { Problem } from '../../base/errors.ts';
import { parseJsonText } from '../../base/text/parse-json-text.ts';
import type { ConnectorRef } from '../../drivers/connection-cache.ts';
import type { Column, PageRequest } from '../../drivers/driver.ts';
import type {
  AccountsPage,
  AccountsRequest,
  Catalogue,
  CatalogueRequest,
  OauthApp,
  OauthAppInput,
} from '../../drivers/integration.ts';
import type { Bundle } from '../../language/bundle/bundle.ts';
import type { Dashboard } from '../../language/dashboard/parse-dashboard.ts';
import type { TemplateNames } from '../../language/dashboard/template-names.ts';
import type { Task } from '../../language/task/parse-task.ts';
import type { NodeFindings, TaskText } from '../../language/template/check-nodes.ts';
import type { TaskInfo, TemplateInfo } from './definition-info.ts';
import type {
  DashboardSource,
  OptionsInput,
  PreparedRun,
  WidgetRowsInput,
  WidgetsInput,
} from './widget-calls.ts';

/**
 * What the control plane may ask of the worker host, and the answers. Inputs are structured-cloneable; answers are plain
 * JSON, turned to text in the thread. An answer that fails in an expected way is data (`ok: false`, `error`); everything
 * else rejects with an `AppError`.
 */
export interface Calls {
  parse_task: {
    input: { yaml: string };
    /** `metrics`: the task's own backends; null or absent where it has none. */
    answer: Parsed<{ info: TaskInfo; metrics?: Task['metrics'] }>;
  };
  /** As `parse_task`, for the texts of one caller; the answers in their order. One that is beyond the limits fails all of them. */
  parse_tasks: { input: { yamls: readonly string[] }; answer: readonly Answer<'parse_task'>[] };
  /** What keeps the `run_task` steps of a task that parses from running `tasks`, each with its YAML; those that are not there are passed over. */
  check_run_tasks: {
    input: { name: string; yaml: string; tasks: Readonly<Record<string, string>> };
    answer: { problems: readonly Problem[] };
  };
  /** Whether failed rows can go once more to this step of a task, or of one of `tasks`, which it runs. */
  check_replay: {
    input: { yaml: string; stepId: string; tasks: Readonly<Record<string, string>> };
    answer: { ok: true } | { ok: false; message: string };
  };
  /** The steps of a stored task that keep a cursor; null where its text is not valid any more. */
  cursor_steps: {
    input: { yaml: string; tasks: Readonly<Record<string, string>> };
    answer: { steps: readonly string[] | null };
  };
  parse_template: { input: { yaml: string }; answer: Parsed<{ info: TemplateInfo }> };
  /** Holds the nodes of a template that parses against the tasks that they name; `problems` are those known before. */
  check_nodes: {
    input: { templateYaml: string; tasks: readonly TaskText[]; problems: readonly Problem[] };
    answer: NodeFindings;
  };
  parse_dashboard: {
    /** `vars` null: a template, whose `${NAME}` stay as they stand. */
    input: {
      yaml: string;
      vars: Record<string, unknown> | null;
      /** For a text that is being saved: also held against the connectors and, where it is known, its job template. */
      against?: { template: TemplateNames | null };
    };
    answer: Parsed<{ dashboard: Dashboard; publicDashboard: object }>;
  };
  /** A bundle as YAML, or as a zip; the texts of its definitions stay texts. */
  parse_bundle: {
    input: { readonly yaml: string } | { readonly zip: Uint8Array };
    answer: Parsed<{ bundle: Bundle }>;
  };
  /** The bundle's YAML, or its zip in Base64. `UNPROCESSABLE` where `parse_bundle` would not take it again. */
  write_bundle: { input: { bundle: Bundle; format: 'yaml' | 'zip' }; answer: string };
  /** With `key`, `values` is the value of that entry alone, and `all` those of the others, which its rules may read. */
  validate_job_config: {
    input: {
      templateYaml: string;
      values: unknown;
      key?: string;
      all?: Readonly<Record<string, unknown>>;
    };
    /** `hidden`, for a form: keys of the fields that are hidden for this value. */
    answer: { problems: Problem[]; values: unknown; hidden?: string[] };
  };
  /** Evaluates the `args` and the `when` of a DAG node. A `when` that is absent is true. */
  render_node: {
    input: { templateYaml: string; key: string; scope: Record<string, unknown> };
    answer: { args: Record<string, unknown>; when: boolean };
  };
  /** The text of the key that a job's `concurrency` counts by; equal values give equal text. */
  job_key: {
    input: { templateYaml: string; scope: Record<string, unknown> };
    answer: { ok: true; key: string } | { ok: false; message: string };
  };
  test_connector: {
    input: { connector: ConnectorRef };
    /** `code`: of what failed, as `UNAVAILABLE`. */
    answer: { ok: boolean; message: string; duration_ms: number; code?: string };
  };
  /** The JSON Schema of a plug-in's configuration, as JSON text; `null` where it has none. */
  plugin_spec: { input: { connector: ConnectorRef }; answer: string };
  introspect: {
    input: {
      connector: ConnectorRef;
      resource?: string;
      options: { delimiter?: string };
      /** What is asked of integration platforms and business applications; other connectors ignore it. */
      catalogue?: CatalogueRequest;
      accounts?: AccountsRequest;
    };
    answer: Catalogue | { columns: Column[] } | AccountsPage;
  };
  /** With `put`, sets it first. `app` is null where the connector has no integration that could have one. */
  oauth_app: {
    input: { connector: ConnectorRef; put?: OauthAppInput };
    answer: { app: OauthApp | null };
  };
  /** The page as JSON text, put into the HTTP answer unparsed. */
  explore: { input: { connector: ConnectorRef; request: ExploreRequest }; answer: string };
  /**
   * Widgets one after another; what several of them read is read once. The answer is the last one's `WidgetBatchItem` as JSON text.
   * Of several, the parts are an empty text when everything that they share is read, and then the items of the others.
   */
  widgets: { input: WidgetsInput; answer: string };
  /** One page of options, a `WidgetOptionsResponse` as JSON text. */
  options: { input: OptionsInput; answer: string };
  /** Which of some values an option source does not give; null where it has more than one page, or does not answer. */
  missing_options: {
    input: Omit<OptionsInput, 'q' | 'cursor' | 'limit'> & { readonly values: readonly string[] };
    answer: { missing: string[] | null };
  };
  /** One page of a table or an explorer: `{columns, rows, next_cursor, total?}` as JSON text. */
  widget_rows: { input: WidgetRowsInput; answer: string };
  /** One piece of an export: text that goes into the file as it is. */
  widget_export: {
    input: WidgetRowsInput & {
      readonly format: 'csv' | 'ndjson';
      /** Keys of the columns that the first piece has; null for the first piece. */
      readonly header: readonly string[] | null;
    };
    answer: { text: string; rows: number; columns: string[]; next_cursor: string | null };
  };
  /** Checks the input of an action, and evaluates the arguments of what it runs. Has no effect. */
  prepare_action: {
    input: DashboardSource & {
      readonly widgetId: string;
      readonly publicView: boolean;
      readonly value: unknown;
    };
    answer:
      | {
          ok: true;
          run: PreparedRun;
          /** The input as it was checked: without hidden fields, with defaults. */
          value: Readonly<Record<string, unknown>>;
          message: string | null;
        }
      | { ok: false; problems: Problem[] };
  };
  /** The fixed call of an action, which may write: what it gives as JSON text. Never run twice; see `RunOptions.once`. */
  connector_call: {
    input: {
      readonly connector: ConnectorRef;
      readonly method: string;
      readonly args: unknown;
      /** The scope's fields, which limit a method that reads. */
      readonly fields: Readonly<Record<string, unknown>>;
    };
    answer: string;
  };
  /** The preview's result as JSON text. */
  preview: { input: PreviewInput; answer: string };
  /** The value of an expression of a task on one row: an `Evaluated` as JSON text. */
  evaluate: { input: EvaluateInput; answer: string };
  /** Pins what the script steps of a task import: `{yaml_content, steps}` as JSON text. `UNPROCESSABLE` says why it cannot. */
  lock_task: { input: LockInput; answer: string };
  /** Runs one example of a task, by its place in `tests`: a `TestOutcome` as JSON text. */
  test_task: {
    input: {
      readonly yaml: string;
      readonly index: number;
      readonly tasks: Readonly<Record<string, string>>;
    };
    answer: string;
  };
}

export type CallKind = keyof Calls;
export type Input<K extends CallKind> = Calls[K]['input'];
export type Answer<K extends CallKind> = Calls[K]['answer'];
export type Call = { [K in CallKind]: { readonly kind: K; readonly input: Input<K> } }[CallKind];

/**
 * The thread entry of each kind, which is a file of `workers/`, and how its answer travels: always as one string, which crosses
 * threads and processes at the cost of a copy. One that is text already is passed on to a client and never parsed on the way.
 * `lane`: `draft` for what editors try out, in a host of its own, so that no dashboard waits for it.
 */
export const CALL_KINDS = {
  parse_task: { entry: 'language', lane: 'served', answer: 'json' },
  parse_tasks: { entry: 'language', lane: 'served', answer: 'json' },
  check_run_tasks: { entry: 'language', lane: 'served', answer: 'json' },
  check_replay: { entry: 'language', lane: 'served', answer: 'json' },
  cursor_steps: { entry: 'language', lane: 'served', answer: 'json' },
  parse_template: { entry: 'language', lane: 'served', answer: 'json' },
  check_nodes: { entry: 'language', lane: 'served', answer: 'json' },
  parse_dashboard: { entry: 'language', lane: 'served', answer: 'json' },
  parse_bundle: { entry: 'language', lane: 'served', answer: 'json' },
  write_bundle: { entry: 'language', lane: 'served', answer: 'text' },
  validate_job_config: { entry: 'language', lane: 'served', answer: 'json' },
  render_node: { entry: 'language', lane: 'served', answer: 'json' },
  job_key: { entry: 'language', lane: 'served', answer: 'json' },
  test_connector: { entry: 'connector', lane: 'draft', answer: 'json' },
  plugin_spec: { entry: 'connector', lane: 'draft', answer: 'text' },
  introspect: { entry: 'connector', lane: 'draft', answer: 'json' },
  oauth_app: { entry: 'connector', lane: 'draft', answer: 'json' },
  explore: { entry: 'connector', lane: 'draft', answer: 'text' },
  connector_call: { entry: 'connector', lane: 'served', answer: 'text' },
  widgets: { entry: 'widget', lane: 'served', answer: 'text' },
  options: { entry: 'widget', lane: 'served', answer: 'text' },
  missing_options: { entry: 'widget', lane: 'served', answer: 'json' },
  widget_rows: { entry: 'widget', lane: 'served', answer: 'text' },
  widget_export: { entry: 'widget', lane: 'served', answer: 'json' },
  prepare_action: { entry: 'widget', lane: 'served', answer: 'json' },
  preview: { entry: 'preview', lane: 'draft', answer: 'text' },
  evaluate: { entry: 'preview', lane: 'draft', answer: 'text' },
  lock_task: { entry: 'preview', lane: 'draft', answer: 'text' },
  test_task: { entry: 'preview', lane: 'served', answer: 'text' },
} as const satisfies Record<
  CallKind,
  { readonly entry: string; readonly lane: 'served' | 'draft'; readonly answer: 'json' | 'text' }
>;

export type EntryName = (typeof CALL_KINDS)[CallKind]['entry'];

export function encodeAnswer(kind: CallKind, value: unknown): string {
  return CALL_KINDS[kind].answer === 'text' ? (value as string) : JSON.stringify(value);
}

export function decodeAnswer<K extends CallKind>(kind: K, text: string): Answer<K> {
  return (CALL_KINDS[kind].answer === 'text' ? text : parseJsonText(text)) as Answer<K>;
}

export type Parsed<T> = ({ ok: true } & T) | { ok: false; problems: Problem[] };

export type ExploreRequest = Omit<PageRequest, 'where' | 'signal'>;

export interface EvaluateInput {
  readonly yaml: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly jobConfig: Readonly<Record<string, unknown>>;
  readonly stepId: string;
  readonly opsBefore: number;
  readonly source: string;
  readonly row: Readonly<Record<string, unknown>>;
}

export interface LockInput {
  readonly yaml: string;
  /** Whether newer versions replace those of its locks. */
  readonly upgrade: boolean;
}

export interface PreviewInput {
  readonly yaml: string;
  /** YAML of the tasks that its steps run, by name. Default: none. */
  readonly tasks?: Readonly<Record<string, string>>;
  readonly args: Readonly<Record<string, unknown>>;
  readonly jobConfig: Readonly<Record<string, unknown>>;
  /** Local name to connector. */
  readonly connectors: Readonly<Record<string, ConnectorRef & { readonly name: string }>>;
  readonly rowsMax: number;
  /** Name of the example that the preview is recorded as; null for none. */
  readonly record?: string | null;
  /** Whether script steps may run, where the server allows them at all. Default: no. */
  readonly scripts?: boolean;
}
