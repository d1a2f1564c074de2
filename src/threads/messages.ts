import type { Problem } from '../base/errors.ts';

/**
 * What the control plane may ask of the worker host, and the answers. Inputs are structured-cloneable; answers are plain
 * JSON, turned to text in the thread. An answer that fails in an expected way is data (`ok: false`, `error`); everything
 * else rejects with an `AppError`.
 */
export interface Tasks {
  parse_task: { input: { yaml: string }; answer: Parsed<{ info: TaskInfo }> };
  parse_template: { input: { yaml: string }; answer: Parsed<{ info: TemplateInfo }> };
  parse_dashboard: {
    /** `vars` null: a template, whose `${NAME}` stay as they stand. */
    input: { yaml: string; vars: Record<string, unknown> | null };
    answer: Parsed<{ dashboard: DashboardDocument; publicDashboard: object }>;
  };
  /** With `key`, `values` is the value of that entry alone, and `all` those of the others, which its rules may read. */
  validate_job_config: {
    input: {
      templateYaml: string;
      values: unknown;
      key?: string;
      all?: Readonly<Record<string, unknown>>;
    };
    answer: { problems: Problem[]; values: unknown };
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
    answer: { ok: boolean; message: string; duration_ms: number };
  };
  introspect: {
    input: { connector: ConnectorRef; resource?: string; options: { delimiter?: string } };
    answer: { resources: ResourceInfo[] } | { columns: ColumnInfo[] };
  };
  /** The page as JSON text, put into the HTTP answer unparsed. */
  explore: { input: { connector: ConnectorRef; request: ExploreRequest }; answer: string };
  widget: { input: WidgetInput; answer: WidgetAnswer };
  /** The rows of one shared query, as JSON text for the `shared` of the widgets that name it. */
  shared_query: { input: SharedQueryInput; answer: WidgetAnswer };
  /** The preview's result as JSON text. */
  preview: { input: PreviewTaskInput; answer: string };
}

export type TaskKind = keyof Tasks;
export type Input<K extends TaskKind> = Tasks[K]['input'];
export type Answer<K extends TaskKind> = Tasks[K]['answer'];
export type Task = { [K in TaskKind]: { readonly kind: K; readonly input: Input<K> } }[TaskKind];

/** The thread entry of each kind: a file of `workers/`. */
export const ENTRY_OF = {
  parse_task: 'language',
  parse_template: 'language',
  parse_dashboard: 'language',
  validate_job_config: 'language',
  render_node: 'language',
  job_key: 'language',
  test_connector: 'connector',
  introspect: 'connector',
  explore: 'connector',
  widget: 'widget',
  shared_query: 'widget',
  preview: 'preview',
} as const satisfies Record<TaskKind, string>;

export type EntryName = (typeof ENTRY_OF)[TaskKind];

export type Parsed<T> = ({ ok: true } & T) | { ok: false; problems: Problem[] };

/** An open connector is kept by `id`, `version` and configuration; `id` 0 (an unsaved one) is never kept. */
export interface ConnectorRef {
  readonly id: number;
  readonly version: number;
  readonly type: string;
  /** With its secrets. */
  readonly config: unknown;
}

export interface ArgumentInfo {
  readonly type: string;
  readonly required: boolean;
  readonly default: unknown;
  readonly description: string | null;
}

export interface TaskInfo {
  readonly name: string;
  readonly description: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly connectors: Readonly<Record<string, { readonly type: string }>>;
  readonly args: Readonly<Record<string, ArgumentInfo>>;
  /** The `metrics` section; null or absent where there is none. */
  readonly metrics?:
    | readonly {
        readonly backend: string;
        readonly config: Readonly<Record<string, unknown>>;
      }[]
    | null;
  readonly limits?: TaskLimitsInfo;
}

/** What a task says of its runs as a whole; a key that is absent sets no limit. */
export interface TaskLimitsInfo {
  /** Runs of the task at once. */
  readonly concurrency?: number;
  /** From the creation of a run to its end. */
  readonly deadlineMs?: number;
}

export interface RetryInfo {
  readonly maxAttempts: number;
  readonly delayMs: number;
  readonly factor: number;
  readonly maxDelayMs: number;
  readonly jitter: number;
}

export interface NodeInfo {
  readonly key: string;
  readonly task: string;
  readonly needs: readonly string[];
  /** Local name to the template's. */
  readonly connectors: Readonly<Record<string, string>>;
  readonly runIf: string;
  readonly allowFailure: boolean;
  readonly retry: RetryInfo | null;
  readonly timeoutMs: number | null;
  /** Source of the node's `when`, evaluated by the executor; null where there is none. */
  readonly when: string | null;
  /** The args as they stand, with their `{{ }}`. */
  readonly argsSource: unknown;
}

export interface JobConcurrencyInfo {
  readonly limit: number;
  readonly onConflict: 'queue' | 'skip' | 'cancel_running' | 'fail';
  /** Source of the key, which `job_key` evaluates; null where all runs of the job count together. */
  readonly keyExpr: string | null;
}

export interface TemplateInfo {
  readonly name: string;
  readonly description: string | null;
  readonly args: Readonly<Record<string, ArgumentInfo>>;
  readonly tasks: readonly NodeInfo[];
  readonly connectors: Readonly<
    Record<string, { readonly type: string; readonly required: boolean; readonly description: string | null }>
  >;
  readonly levels: readonly (readonly string[])[];
  readonly labels: Readonly<Record<string, string>>;
  /** Absent in what was stored before these acted. */
  readonly concurrency?: JobConcurrencyInfo | null;
  readonly deadlineMs?: number | null;
  /** The `dag` of the API's answer. */
  readonly dag: unknown;
  /** The `job_config` section, as JSON. */
  readonly jobConfig: Readonly<Record<string, unknown>>;
  readonly jobConfigDefaults: Readonly<Record<string, unknown>>;
}

/** What the control plane reads of a parsed dashboard; `language/dashboard` has the whole type. */
export interface DashboardDocument {
  readonly title: string | null;
  readonly refresh_interval_seconds: number | null;
  readonly allow_public_input: boolean;
  readonly shared_queries: Readonly<Record<string, { readonly connector: string; readonly method: string }>>;
  readonly pages: readonly {
    readonly id: string;
    readonly title: string;
    readonly public: boolean;
    readonly widgets: readonly {
      readonly id: string;
      readonly type: string;
      readonly refresh_interval_seconds: number | null;
      readonly binding: { readonly kind: string };
      readonly config: Readonly<Record<string, unknown>>;
    }[];
  }[];
}

export interface ResourceInfo {
  readonly name: string;
  readonly type: string;
}

export interface ColumnInfo {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  readonly native_type?: string;
  readonly key?: boolean;
}

export interface ExploreRequest {
  readonly resource: string;
  readonly columns?: readonly string[];
  readonly filter?: Readonly<Record<string, unknown>>;
  readonly sort?: readonly string[];
  readonly limit: number;
  readonly cursor?: string;
}

/** Names that a dashboard's expressions read, apart from `data`, `item` and `value`. */
export interface DashboardContext {
  readonly job: unknown;
  readonly job_config: unknown;
  readonly args: unknown;
}

export interface DashboardSource {
  /** The same text and variables always have the same key (dashboard id and version): the thread keeps the parsed document. */
  readonly documentKey: string;
  readonly yaml: string;
  readonly vars: Readonly<Record<string, unknown>>;
  /** The names that the document uses, to the connectors of its job. */
  readonly connectors: Readonly<Record<string, ConnectorRef>>;
  readonly context: DashboardContext;
}

export interface WidgetInput extends DashboardSource {
  readonly widgetId: string;
  /** Seen through a share link: a widget that the public view leaves out is not found. */
  readonly publicView: boolean;
  /** Results of shared queries by name, or their error. */
  readonly shared: Readonly<Record<string, WidgetAnswer>>;
  /** The job's latest task runs, newest first, for `source: runs` and `task_progress`. */
  readonly runs: readonly TaskRunInfo[];
}

export interface TaskRunInfo {
  readonly id: number;
  readonly task_key: string;
  readonly status: string;
  readonly progress: {
    readonly rows: number;
    readonly rows_per_second: number;
    readonly step: string;
    /** 0 to 1, or null where the total is not known. */
    readonly ratio: number | null;
  } | null;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  readonly items: { readonly in: number; readonly out: number; readonly failed: number };
}

export interface SharedQueryInput extends DashboardSource {
  readonly name: string;
}

/** `json` is the payload's text, put into the answer as it is. `error` is for the widget's reader. */
export type WidgetAnswer = { readonly json: string } | { readonly error: string };

export interface PreviewTaskInput {
  readonly yaml: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly jobConfig: Readonly<Record<string, unknown>>;
  /** Local name to connector. */
  readonly connectors: Readonly<Record<string, ConnectorRef & { readonly name: string }>>;
  readonly rowsMax: number;
}
