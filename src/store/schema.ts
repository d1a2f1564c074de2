import type { Generated } from 'kysely';
import type { RowCounts, StepFigures } from '../base/run-report.ts';

/**
 * The state store's tables. The same in both dialects: times are milliseconds since 1970, flags are 0 or 1, and columns
 * that end in `_json` hold one JSON value as text.
 */
export interface Schema {
  secrets: SecretsTable;
  users: UsersTable;
  sessions: SessionsTable;
  api_keys: ApiKeysTable;
  auth_failures: AuthFailuresTable;
  audit_logs: AuditLogsTable;
  idempotency_keys: IdempotencyKeysTable;
  connectors: ConnectorsTable;
  connector_calls: ConnectorCallsTable;
  connector_health: ConnectorHealthTable;
  tasks: TasksTable;
  task_versions: TaskVersionsTable;
  job_templates: JobTemplatesTable;
  job_template_versions: JobTemplateVersionsTable;
  dashboard_templates: DashboardTemplatesTable;
  jobs: JobsTable;
  job_labels: JobLabelsTable;
  job_tasks: JobTasksTable;
  job_task_children: JobTaskChildrenTable;
  job_config_versions: JobConfigVersionsTable;
  job_states: JobStatesTable;
  dashboards: DashboardsTable;
  dashboard_actions: DashboardActionsTable;
  explorer_presets: ExplorerPresetsTable;
  ai_references: AiReferencesTable;
  triggers: TriggersTable;
  trigger_ticks: TriggerTicksTable;
  trigger_results: TriggerResultsTable;
  job_runs: JobRunsTable;
  run_texts: RunTextsTable;
  runs: RunsTable;
  run_attempts: RunAttemptsTable;
  run_steps: RunStepsTable;
  run_part_plans: RunPartPlansTable;
  run_parts: RunPartsTable;
  run_status_history: RunStatusHistoryTable;
  dead_letters: DeadLettersTable;
  executors: ExecutorsTable;
  executor_keys: ExecutorKeysTable;
  backfills: BackfillsTable;
  backfill_times: BackfillTimesTable;
  metrics_configs: MetricsConfigsTable;
  server_config: ServerConfigTable;
  webhooks: WebhooksTable;
  webhook_deliveries: WebhookDeliveriesTable;
  open_alerts: OpenAlertsTable;
  failure_episodes: FailureEpisodesTable;
  deletions: DeletionsTable;
}

/** Tables of bulk appends. In SQLite they are in a separate file, so that their writer never blocks the state's. */
export interface LogSchema {
  run_logs: RunLogsTable;
  run_log_cursors: RunLogCursorsTable;
}

interface Definition {
  id: Generated<number>;
  /** Grows by one with every change; the strong ETag. */
  version: number;
  created_at: number;
  updated_at: number;
}

/** Named values of the server itself: the canary of the encryption key, the hash of the setup token, the executor key. */
interface SecretsTable {
  name: string;
  value: string;
  created_at: number;
}

interface UsersTable extends Definition {
  email: string;
  name: string;
  role: string;
  password_hash: string;
  totp_secret_encrypted: string | null;
  totp_confirmed: number;
  /** The last accepted time step: a code is accepted once. */
  totp_last_step: number;
  recovery_hashes_json: string;
  status: string;
}

interface SessionsTable {
  id: Generated<number>;
  token_hash: string;
  user_id: number;
  /** `pending` after the password, `full` after the code. */
  kind: string;
  created_at: number;
  last_seen_at: number;
  expires_at: number;
  address: string;
  user_agent: string;
}

interface ApiKeysTable {
  id: Generated<number>;
  name: string;
  prefix: string;
  token_hash: string;
  user_id: number;
  scopes_json: string;
  expires_at: number | null;
  last_used_at: number | null;
  /** The token before the last rotation, and how long it stays valid. */
  previous_token_hash: string | null;
  previous_expires_at: number | null;
  created_at: number;
}

interface AuthFailuresTable {
  id: Generated<number>;
  /** What was tried (`login`, `totp`, `share` …), and what it counts: an account, a network, a device. */
  subject: string;
  /** Email of the account that was tried. */
  account: string | null;
  at: number;
}

interface AuditLogsTable {
  id: Generated<number>;
  at: number;
  actor_type: string;
  actor_id: number | null;
  actor_name: string;
  action: string;
  resource_type: string;
  resource_id: string | null;
  diff_json: string | null;
  address: string | null;
  request_id: string | null;
  outcome: string;
}

interface IdempotencyKeysTable {
  principal: string;
  key: string;
  request_hash: string;
  /** null while the first request is in flight. */
  status: number | null;
  body: string | null;
  created_at: number;
}

interface ConnectorsTable extends Definition {
  name: string;
  type: string;
  description: string | null;
  /** Without secrets. */
  config_json: string;
  /** Map of secret key to ciphertext. */
  secrets_json: string;
  /** Names of secrets that it had where it was exported, and that are still to be set here. */
  open_secret_names_json: Generated<string>;
  updated_by: string | null;
}

interface TasksTable extends Definition {
  name: string;
  description: string | null;
  yaml_content: string;
  status: string;
  labels_json: string;
  connectors_json: string;
  /** `concurrency` and `deadlineMs`, where the text has them. */
  limits_json: Generated<string>;
  /** Names of the tasks that its `run_task` steps run; null for none. */
  runs_json: string | null;
  updated_by: string | null;
}

/** Calls of a connector within one bucket of time. */
interface ConnectorCallsTable {
  connector_id: number;
  bucket_at: number;
  source: string;
  calls: number;
  errors: number;
  ms: number;
}

/** How the last calls of a connector ended. Times are 0 for never. */
interface ConnectorHealthTable {
  connector_id: number;
  first_used_at: number;
  last_success_at: number;
  /** The first call after the last success that could not reach it; 0: the last call could. */
  unreachable_since: number;
  /** When that last became 0. */
  recovered_at: number;
  last_error_at: number;
  error_code: string;
  error_message: string;
  error_source: string;
  error_run_id: number | null;
  error_job_id: number | null;
  last_test_at: number;
  test_ok: number;
  test_message: string;
}

interface TaskVersionsTable {
  id: Generated<number>;
  task_id: number;
  version: number;
  yaml_content: string;
  /** The connectors that this version declares: a job that pins it binds these, whatever later versions declare. */
  connectors_json: string;
  /** Null if unknown: for versions saved before labels were stored. */
  labels_json: string | null;
  limits_json: Generated<string>;
  runs_json: string | null;
  created_at: number;
  created_by: string | null;
}

interface JobTemplatesTable extends Definition {
  name: string;
  description: string | null;
  yaml_content: string;
  /** The result of parsing: nodes, levels, connectors, config defaults; so that listing and starting parse no document. */
  parsed_json: string;
  status: string;
  updated_by: string | null;
}

interface JobTemplateVersionsTable {
  id: Generated<number>;
  job_template_id: number;
  version: number;
  yaml_content: string;
  created_at: number;
  created_by: string | null;
}

interface DashboardTemplatesTable extends Definition {
  job_template_id: number;
  name: string;
  description: string | null;
  yaml_content: string;
  status: string;
  updated_by: string | null;
}

interface JobsTable extends Definition {
  job_template_id: number;
  template_version: number;
  name: string;
  description: string | null;
  /** The template's YAML and its parsed form at the creation or upgrade of the job. */
  yaml_content: string;
  parsed_json: string;
  connector_mapping_json: string;
  config_json: string;
  config_version: number;
  status: string;
  /** `Labels`; `job_labels` has the same to look for. */
  labels_json: Generated<string>;
}

/** The labels of jobs, one per row. */
interface JobLabelsTable {
  job_id: number;
  name: string;
  value: string;
}

/** A node of the job's DAG and the task version that it pins. */
interface JobTasksTable {
  job_id: number;
  task_key: string;
  task_id: number;
  task_version: number;
  override_yaml: string | null;
  /** The declarations of that text: a `TaskInfo`. */
  override_info_json: string | null;
}

/** The tasks that the `run_task` steps of a node run, and those that these run in turn. */
interface JobTaskChildrenTable {
  job_id: number;
  task_key: string;
  /** As the steps name it. */
  name: string;
  task_id: number;
  task_version: number;
}

interface JobConfigVersionsTable {
  id: Generated<number>;
  job_id: number;
  version: number;
  config_json: string;
  created_at: number;
  created_by: string | null;
}

interface JobStatesTable {
  job_id: number;
  task_key: string;
  name: string;
  value_json: string;
  version: number;
  updated_at: number;
}

interface DashboardsTable extends Definition {
  job_id: number;
  dashboard_template_id: number | null;
  name: string;
  description: string | null;
  yaml_content: string;
  /** The parsed document and its public projection, made when the row was written. */
  document_json: string;
  public_json: string;
  share_token_hash: string | null;
  share_token_encrypted: string | null;
  share_expires_at: number | null;
  /** argon2id; null if the link alone opens the dashboard. */
  share_password_hash: string | null;
  /** Origins that may show the shared page in a frame, with spaces between them; null: none. */
  share_embed_origins: Generated<string | null>;
  /** The template's version, and the SHA-256 of its text, at the last snapshot; null if unknown. */
  template_version: number | null;
  template_yaml_hash: string | null;
}

/** The latest use of each action widget. */
interface DashboardActionsTable {
  dashboard_id: number;
  widget_id: string;
  acted_at: number;
  acted_by: string;
  cooldown_until: number | null;
  /** `started`, `done` or `failed`. */
  outcome: string;
  job_run_id: number | null;
}

interface ExplorerPresetsTable extends Definition {
  name: string;
  description: string | null;
  connector_id: number;
  resource: string;
  columns_json: string;
  filter_json: string;
  sort_json: string;
  /** `team`: everybody sees it. `private`: only its owner. */
  visibility: string;
  owner_id: number | null;
  updated_by: string | null;
}

interface AiReferencesTable extends Definition {
  name: string;
  description: string | null;
  /** The text for the model. */
  content: string;
  tags_json: string;
  enabled: number;
  updated_by: string | null;
}

/** A receiver of events: a webhook, or a channel of notifications. */
interface WebhooksTable extends Definition {
  /** `webhook`, `email`, `slack` or `teams`. */
  kind: Generated<string>;
  name: string;
  description: string | null;
  /** Of a channel: as much of its address as is no secret. */
  url: string;
  /** Of a channel: its settings without secrets. */
  settings_json: Generated<string>;
  /** The kinds of event by name, or `"*"`. */
  events_json: string;
  /** Null like `template_ids_json`: all jobs. */
  job_ids_json: string | null;
  template_ids_json: string | null;
  /** Likewise: labels, as filters write them. */
  labels_json: string | null;
  /** It is told of a job with more open dead letters than these. */
  dead_letters_over: Generated<number>;
  enabled: number;
  /** Sealed: of a webhook `secret`, and after a rotation `previous_secret`; of a channel `url` or `password`. */
  secrets_json: string;
  previous_secret_until: number | null;
  last_success_at: number | null;
  last_failure_at: number | null;
  consecutive_failures: Generated<number>;
  /** The first failure since the last success. */
  failing_since: number | null;
  /** Set if the server disabled it. */
  disabled_reason: string | null;
  updated_by: string | null;
}

/** One event for one webhook: the outbox, and its outcome. */
interface WebhookDeliveriesTable {
  id: Generated<number>;
  webhook_id: number;
  /** `webhook-id` of every attempt. */
  event_id: string;
  event: string;
  /** The body, exactly as sent. */
  body: string;
  /** `pending`, `delivered` or `failed`. */
  status: string;
  attempts: Generated<number>;
  /** Attempts since it was last queued: its position in the schedule of retries. */
  tries: Generated<number>;
  /** While it is being sent, the time when another deliverer may claim it; null once it has ended. */
  next_attempt_at: number | null;
  /** The deliverer that sends it now, or did last. */
  lease_token: string | null;
  last_attempt_at: number | null;
  response_status: number | null;
  response_body: string | null;
  error: string | null;
  duration_ms: number | null;
  created_at: number;
  ended_at: number | null;
}

/** A state of which a receiver was told, until it ends: so that it is told once. */
interface OpenAlertsTable {
  webhook_id: number;
  event: string;
  /** The trigger, job or executor. */
  subject_id: number;
  opened_at: number;
}

/** A deleted record of which rows are left (`modules/deletions`); gone with the last of them. */
interface DeletionsTable {
  id: Generated<number>;
  /** `job`, `run`, `trigger`, `backfill` or `webhook`. */
  kind: string;
  target_id: number;
  created_at: number;
}

/** A failing job: one row from the first failure to the next success. */
interface FailureEpisodesTable {
  job_id: number;
  opened_at: number;
  /** The job run that failed first. */
  job_run_id: number;
  failures: number;
}

interface TriggersTable extends Definition {
  job_id: number;
  name: string;
  cron: string;
  timezone: string;
  enabled: number;
  overlap: string;
  catchup: string;
  next_run_at: number | null;
  last_fired_at: number | null;
  last_run_id: number | null;
  missed_count: number;
  skipped_count: number;
  /** As it was written, such as `6h`. */
  catchup_window: string | null;
  jitter_seconds: Generated<number>;
  start_at: number | null;
  end_at: number | null;
  pause_after_failures: number | null;
  /** The delay of its run after `next_run_at`. */
  delay_ms: Generated<number>;
  consecutive_failures: Generated<number>;
  /** Runs that ended earlier do not count for `consecutive_failures`. */
  streak_since: Generated<number>;
  paused_at: number | null;
  paused_reason: string | null;
  last_success_at: number | null;
}

/** Results of scheduled job runs, until the ticker counts them. No foreign keys: an ending run waits for no trigger. */
interface TriggerResultsTable {
  id: Generated<number>;
  trigger_id: number;
  job_run_id: number;
  status: string;
  ended_at: number;
}

/** One row per (trigger, scheduled time): a tick fires exactly once. */
interface TriggerTicksTable {
  trigger_id: number;
  scheduled_for: number;
  job_run_id: number | null;
  outcome: string;
  created_at: number;
}

interface JobRunsTable {
  id: Generated<number>;
  job_id: number;
  trigger_id: number | null;
  scheduled_for: number | null;
  rerun_of: number | null;
  status: string;
  reason: string;
  args_json: string;
  config_json: string;
  /** The template as this run uses it, but for `previous`; empty where `plan_id` has it. */
  parsed_json: string;
  /** Null: `parsed_json` and `config_json` have the texts, since it is from before `run_texts`. */
  plan_id: number | null;
  config_id: number | null;
  /** Of a rerun: node key to the earlier run of that node. */
  previous_json: string | null;
  /** For a rerun: node key to `{run_id, status, reason}` of the earlier run with the reused outcome. */
  reused_json: Generated<string>;
  /** Runs with a higher priority are claimed first. */
  priority: Generated<number>;
  /** Job runs of one key count together against the template's `concurrency`; null without. */
  concurrency_key: string | null;
  /** It is cancelled with the reason `timeout` if it has not ended by then. */
  deadline_at: number | null;
  /** It is late if it has not succeeded by then; null without an SLA. */
  sla_at: number | null;
  /** 1 until it is known whether it was late. */
  sla_open: Generated<number>;
  /** When it was found to be late; null if it was not. */
  late_at: number | null;
  backfill_id: number | null;
  /** While it waits for a slot of its `concurrency_key`: the reason of its start. Null: it has started or ended. */
  held_reason: string | null;
  /** The previous scheduled time. */
  interval_start: number | null;
  /** The task run whose failure decided the outcome; null without one. It may have been deleted since. */
  failed_run_id: number | null;
  created_at: number;
  started_at: number | null;
  ended_at: number | null;
  created_by: string | null;
}

/** What runs, and job runs, have in common with others: YAML, plans, configurations. Each content is stored once. */
interface RunTextsTable {
  id: Generated<number>;
  /** SHA-256 of the content. */
  hash: string;
  content: string;
  /** When it was last known to be in use, to the day. */
  used_at: number;
}

interface RunsTable extends Record<keyof RowCounts, number> {
  id: Generated<number>;
  task_id: number | null;
  task_name: string;
  task_version: number;
  /** Empty where `yaml_id` has it. The configuration is in `config_id`, in `config_json`, or else that of its job run. */
  yaml_content: string;
  /** Null: it is from before `run_texts`. */
  yaml_id: number | null;
  config_id: number | null;
  /** The texts that its `run_task` steps run, as a `RunTask[]`; null for none. */
  tasks_id: number | null;
  job_run_id: number | null;
  job_id: number | null;
  task_key: string | null;
  status: string;
  reason: string;
  priority: number;
  attempt: number;
  max_attempts: number;
  retry_json: string;
  epoch: number;
  /** Null while it is queued, and once it has ended: its attempt has it. */
  lease_token: string | null;
  lease_expires_at: number | null;
  /** 0 while an assignment waits for its acknowledgement. */
  acknowledged: number;
  executor_id: number | null;
  cancel_requested: number;
  cancel_deadline: number | null;
  args_json: string;
  config_json: string;
  /** Local connector name to connector id. */
  connectors_json: string;
  /** Connector types it needs, sorted, joined by commas: `,csv,sqlite,`. */
  connector_types: string;
  labels_json: string;
  timeout_ms: number;
  progress_json: string | null;
  error_json: string | null;
  received_args_json: string | null;
  /** What its task gave; null where it gave nothing. */
  outputs_json: string | null;
  last_log_seq: number | null;
  rerun_of: number | null;
  scheduled_for: number | null;
  created_at: number;
  /** Not claimed earlier: retries wait until then. */
  available_at: number;
  /** Runs of one key count together against `concurrency_limit` while they are claimed; null without. */
  concurrency_key: string | null;
  concurrency_limit: number | null;
  /**
   * Ends as `error` if nobody has claimed it by then, equally long after `available_at` in every attempt. Written by the
   * sweeper after a short wait; null before that, and without such a limit in the settings.
   */
  queue_expires_at: number | null;
  /** Is stopped and ends as `error / timeout` if it has not ended by then; null without. */
  deadline_at: number | null;
  /** The number of executors lost while they ran it, whatever the cause. */
  losses: Generated<number>;
  /** Equal for runs with the same needs (`run-kind.ts`); empty for runs that have ended or are from before kinds existed. */
  kind: Generated<string>;
  /** Position in the queue among runs of one kind and priority: every job has one run per rank, so that none delays another. */
  queue_rank: Generated<number>;
  /** Why it cannot be claimed now: `awaiting_slot` or `no_executor`. Null: it can be claimed once it is available. */
  waiting: string | null;
  /** The step that replays dead letters; null for a run of the whole task, as is `replay_letters`. */
  replay_step: string | null;
  /** The number of its letters. */
  replay_letters: number | null;
  /** How many runs were made to help it with its parts. */
  helpers: Generated<number>;
  /** The run and the step that it helps with parts; null for a run of its own. Lists leave out those that help. */
  helps_run_id: number | null;
  helps_step: string | null;
  started_at: number | null;
  ended_at: number | null;
}

/** How the newest attempt of a run has divided a step. */
interface RunPartPlansTable {
  run_id: number;
  step_id: string;
  /** Of the run, when it offered the parts. */
  epoch: number;
  digest: string;
  /** For those that help; null where nobody may, and once it is closed. */
  order_json: string | null;
  /** 0: no part of it is given out any more. */
  is_open: number;
}

interface RunPartsTable {
  run_id: number;
  step_id: string;
  number: number;
  label: string;
  /** `open`, `taken`, `staged` or `failed`. */
  state: string;
  /** How often it was taken. */
  take: number;
  /** The run that has or had it, by its lease: the run itself, or one that helps it. */
  holder_run_id: number | null;
  holder_epoch: number | null;
  executor_id: number | null;
  /** 1: it failed elsewhere, so that the run itself tries it. */
  own_only: number;
  rows: number;
  error: string;
  /** A `StepResult[]`, until the run has read it. */
  steps_json: string | null;
  started_at: number | null;
  ended_at: number | null;
}

interface RunAttemptsTable {
  run_id: number;
  attempt: number;
  epoch: number;
  lease_token: string;
  executor_id: number;
  started_at: number;
  ended_at: number | null;
  outcome: string | null;
  last_log_seq: number | null;
}

interface RunStepsTable extends Record<keyof StepFigures, number> {
  run_id: number;
  attempt: number;
  position: number;
  step_id: string;
  kind: string;
  status: string;
  error: string;
  cursor_json: string | null;
  schema_changes_json: string | null;
  verification_json: string | null;
  losses_json: string | null;
}

interface RunStatusHistoryTable {
  id: Generated<number>;
  run_id: number;
  at: number;
  from_status: string | null;
  to_status: string;
  reason: string;
  attempt: number;
}

interface DeadLettersTable {
  id: Generated<number>;
  run_id: number;
  job_id: number | null;
  attempt: number;
  seq: number;
  step_id: string;
  /** The task of the step, where a `run_task` step runs it; null: that of the run. */
  task_name: string | null;
  item_json: string;
  code: string;
  message: string;
  /** `open`, `replaying` (by `replay_run_id`), `replayed` or `discarded`. */
  status: string;
  /** The last run that replayed the row; null if none has. It may have been deleted since. */
  replay_run_id: number | null;
  /** The edited row replayed instead of `item_json`; null: that one. */
  replay_item_json: string | null;
  /** The letter with the row that has failed here again. */
  replay_of: number | null;
  /** A `RowOrigin`; null where it is not known. */
  origin_json: string | null;
  /** The column that did not fit, and its value; null where no single one is at fault. */
  column_name: string | null;
  value_json: string | null;
  created_at: number;
}

interface ExecutorsTable {
  id: Generated<number>;
  name: string;
  instance_id: string;
  session_token_hash: string;
  version: string;
  protocol_version: number;
  labels_json: string;
  /** As in `runs.connector_types`. */
  connector_types: string;
  slots: number;
  /** What it says of itself: `online`, `draining` or `gone`. */
  status: string;
  /** Since when an operator wants it to get no more runs; null: it may. The same process keeps it when it registers again. */
  drain_requested_at: Generated<number | null>;
  drain_requested_by: Generated<string | null>;
  registered_at: number;
  last_seen_at: number;
}

/** Every executor key that this server has ever accepted, by the start of its SHA-256. A revoked one is final. */
interface ExecutorKeysTable {
  fingerprint: string;
  first_seen_at: number;
  last_seen_at: number;
  revoked_at: number | null;
  revoked_by: string | null;
}

/** A submitted plan of past times, started one after another. */
interface BackfillsTable {
  id: Generated<number>;
  job_id: number;
  trigger_id: number;
  from_at: number;
  to_at: number;
  /** `missed`, `failed` or `all`. */
  reprocess: string;
  /** `oldest_first` or `newest_first`. */
  run_order: string;
  max_active: number;
  config_override_json: string | null;
  /** The configuration of every run: the job's at the submission, with the override merged over it. */
  config_json: string;
  /** The evaluated key of the template's `concurrency`; null without. */
  concurrency_key: string | null;
  /** Why it was paused automatically: its job could not be started. */
  problem: string | null;
  /** `running`, `paused`, `cancelled` or `completed`. */
  status: string;
  total: number;
  created_at: number;
  created_by: string;
  ended_at: number | null;
}

interface BackfillTimesTable {
  backfill_id: number;
  scheduled_for: number;
  /** The previous scheduled time. */
  interval_start: number | null;
  /** Position in the order of starts, from 0. */
  position: number;
  /** null until it was started. */
  job_run_id: number | null;
}

interface MetricsConfigsTable extends Definition {
  name: string;
  backend: string;
  /** Without secrets. */
  config_json: string;
  /** Map of secret key to ciphertext. */
  secrets_json: Generated<string>;
  enabled: number;
}

interface ServerConfigTable {
  key: string;
  value_json: string;
  version: number;
  updated_at: number;
}

interface RunLogsTable {
  run_id: number;
  attempt: number;
  seq: number;
  at: number;
  /** 1 debug, 2 info, 3 warn, 4 error. */
  level: number;
  step_id: string;
  message: string;
  fields_json: string | null;
  /** Days since 1970 at the commit, by the store's clock: the partition where the engine has partitions, else always 0. */
  day: Generated<number>;
}

/** The durable end of an attempt's log. */
interface RunLogCursorsTable {
  run_id: number;
  attempt: number;
  acked_seq: number;
  bytes: number;
  /** Lines over the run's quota: acknowledged but not stored, after one line that says so. */
  dropped: Generated<number>;
  /** Lines up to here were deleted by retention. */
  pruned_seq: Generated<number>;
  /** The newest commit, by the store's clock. */
  last_at: Generated<number>;
}
