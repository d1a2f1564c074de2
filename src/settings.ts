/** One environment variable: where its value goes, and what it says to people (`headgate serve --help`). */
export interface Setting {
  readonly path: readonly string[];
  readonly help: string;
}

const setting = (path: string, help: string): Setting => ({ path: path.split('.'), help });

/** What only tests set, and neither `--help` nor the README lists. */
export const TESTING_SETTINGS: Readonly<Record<string, Setting>> = {
  SVC_CRASH_AT: setting(
    'testing.crash_at',
    'PLACE:N, the place of a `CrashPoint` and at which pass it kills the process',
  ),
  SVC_TEST_LEASE_TTL_MS: setting(
    'testing.lease_ttl_ms',
    'life of a lease; the other limits of executors follow it',
  ),
};

/** Every `SVC_*` variable of users. The same names, as sections and keys, stand in `headgate.yaml`. */
export const SETTINGS: Readonly<Record<string, Setting>> = {
  SVC_STATE_PATH: setting('state.localdb.path', 'file of the embedded state store (./state.db)'),
  SVC_STATE_URL: setting('state.serverdb.url', 'postgres:// URL of the state store, instead of a file'),
  SVC_METRICS_PATH: setting('metrics.path', 'file of the localdb metrics backend (./metrics.db)'),
  SVC_HTTP_HOST: setting('http.host', 'address of the REST API (127.0.0.1)'),
  SVC_HTTP_PORT: setting('http.port', 'port of the REST API (8080)'),
  SVC_PUBLIC_URL: setting('http.public_url', 'address under which people reach the server'),
  SVC_HTTP_BODY_LIMIT: setting('http.body_limit', 'largest request body in bytes (4194304)'),
  SVC_TRUST_PROXY: setting(
    'http.trust_proxy',
    'proxies before the server, whose X-Forwarded-For is believed: a number, or addresses by commas (none)',
  ),
  SVC_GRPC_HOST: setting('grpc.host', 'address of the executors’ gRPC service (127.0.0.1)'),
  SVC_GRPC_PORT: setting('grpc.port', 'its port; 0 takes a free one (0)'),
  SVC_GRPC_TLS_CERT: setting('grpc.tls.cert', 'certificate file of the gRPC service'),
  SVC_GRPC_TLS_KEY: setting('grpc.tls.key', 'its private key file'),
  SVC_GRPC_TLS_CLIENT_CA: setting(
    'grpc.tls.client_ca',
    'executors must show a certificate of this authority',
  ),
  SVC_GRPC_REFLECTION: setting(
    'grpc.reflection',
    'tell holders of an executor key what gRPC services there are (false)',
  ),
  SVC_EXECUTOR_EMBEDDED: setting('executor.embedded', 'start an executor beside the control plane (true)'),
  SVC_EXECUTOR_SLOTS: setting('executor.slots', 'runs at once in an executor (2)'),
  SVC_EXECUTOR_KEY: setting(
    'executor.key',
    'shared secret of executors; made on first start when only this machine can connect',
  ),
  SVC_EXECUTOR_PREVIOUS_KEY: setting(
    'executor.previous_key',
    'the key before, still valid during a rotation',
  ),
  SVC_WORKER_THREADS: setting('workers.threads', 'threads for widgets, options and documents (2)'),
  SVC_WORKER_QUEUE_MAX: setting('workers.queue_max', 'tasks that may wait for a thread (1000)'),
  SVC_WORKER_TASK_TIMEOUT_MS: setting('workers.task_timeout_ms', 'longest single task (10000)'),
  SVC_WORKER_MAX_HEAP_MB: setting('workers.max_heap_mb', 'heap of one thread (256)'),
  SVC_ENCRYPTION_KEY: setting(
    'security.encryption_key',
    'master key of stored secrets; made on first start on loopback',
  ),
  SVC_PREVIOUS_ENCRYPTION_KEYS: setting(
    'security.previous_encryption_keys',
    'keys that may still decrypt, by commas',
  ),
  SVC_SESSION_TTL_MINUTES: setting('security.session_ttl_minutes', 'longest life of a session (720)'),
  SVC_SESSION_IDLE_MINUTES: setting(
    'security.session_idle_minutes',
    'a session unused for so long ends (120)',
  ),
  SVC_RATE_LIMIT_PER_MINUTE: setting(
    'security.rate_limit_per_minute',
    'requests of one address per minute (6000)',
  ),
  SVC_OUTBOUND_POLICY: setting(
    'outbound.policy',
    'where webhooks and the model provider may be: block-metadata, public-only or allowlist (block-metadata)',
  ),
  SVC_OUTBOUND_ALLOW: setting(
    'outbound.allow',
    'hosts, host:port, addresses and networks (CIDR) that are let through whatever the policy says, by commas (none)',
  ),
  SVC_FILE_ROOTS: setting('files.roots', 'folders that file connectors may use, by commas (none)'),
  SVC_RUN_QUEUE_TIMEOUT_MINUTES: setting(
    'runs.queue_timeout_minutes',
    'a run that no executor takes for so long ends as an error; 0: it waits for ever (1440)',
  ),
  SVC_LOG_LEVEL: setting('log.level', 'trace, debug, info, warn, error or silent (info)'),
  SVC_LOG_RUN_BYTES_MAX: setting(
    'logs.run_bytes_max',
    'log that is kept of one run, in bytes; what is over it is counted (268435456)',
  ),
  SVC_LOG_RETENTION_DAYS: setting('retention.log_days', 'days that a log is kept; 0 for good (30)'),
  SVC_LOG_RETENTION_BYTES: setting(
    'retention.log_bytes',
    'bytes of all logs together, beyond which the oldest go; 0 for no bound (0)',
  ),
  SVC_PUBLIC_DASHBOARD_INPUT_ENABLED: setting(
    'public_dashboard_input_enabled',
    'public links may edit forms (false)',
  ),
  SVC_AI_PROVIDER: setting('ai.provider', 'wire format of the model provider: openai or anthropic (openai)'),
  SVC_AI_API_KEY: setting('ai.api_key', 'key of the model provider; without one the AI routes are off'),
  SVC_AI_BASE_URL: setting('ai.base_url', 'address of the model provider (the provider’s own)'),
  SVC_AI_MODEL: setting('ai.model', 'name of the model'),
};
