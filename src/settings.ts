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
    'PLACE:N, the place of a `CrashPoint` and at which pass it kills the process, or @FILE, which holds that',
  ),
  SVC_TEST_LEASE_TTL_MS: setting(
    'testing.lease_ttl_ms',
    'lease duration; other executor limits derive from it',
  ),
};

/** Every `SVC_*` variable of users. `headgate.yaml` has the same names, as sections and keys. */
export const SETTINGS: Readonly<Record<string, Setting>> = {
  SVC_STATE_PATH: setting('state.localdb.path', 'SQLite file of the state store (./state.db)'),
  SVC_STATE_URL: setting(
    'state.serverdb.url',
    'postgres:// URL of the state store; replaces the SQLite file',
  ),
  SVC_STATE_POOL_MAX: setting(
    'state.serverdb.pool_max',
    'connections of this server to PostgreSQL, 2 to 200, plus one for notifications (20)',
  ),
  SVC_SQLITE_CACHE_MB: setting(
    'memory.sqlite_cache_mb',
    'largest page cache of each of the server’s five connections to its SQLite files, in MB (16)',
  ),
  SVC_METRICS_PATH: setting('metrics.path', 'SQLite file of the localdb metrics backend (./metrics.db)'),
  SVC_METRICS_SERIES_MAX: setting(
    'metrics.series_max',
    'combinations of job, template and task listed in /metrics; the rest counts as other (500)',
  ),
  SVC_HTTP_HOST: setting('http.host', 'address that the REST API listens on (127.0.0.1)'),
  SVC_HTTP_PORT: setting('http.port', 'port that the REST API listens on; 0 = any free port (8080)'),
  SVC_PUBLIC_URL: setting('http.public_url', 'URL at which users reach the server'),
  SVC_HTTP_BODY_LIMIT: setting('http.body_limit', 'largest request body, in bytes (4194304)'),
  SVC_TRUST_PROXY: setting(
    'http.trust_proxy',
    'reverse proxies whose X-Forwarded-For is trusted: their number, or their addresses, comma-separated (none)',
  ),
  SVC_GRPC_HOST: setting('grpc.host', 'address that the gRPC service for executors listens on (127.0.0.1)'),
  SVC_GRPC_PORT: setting('grpc.port', 'port of the gRPC service; 0 = any free port (0)'),
  SVC_GRPC_TLS_CERT: setting('grpc.tls.cert', 'TLS certificate file of the gRPC service'),
  SVC_GRPC_TLS_KEY: setting('grpc.tls.key', 'private key file of that certificate'),
  SVC_GRPC_TLS_CLIENT_CA: setting(
    'grpc.tls.client_ca',
    'CA file; executors must present a client certificate issued by it',
  ),
  SVC_GRPC_REFLECTION: setting('grpc.reflection', 'gRPC reflection for holders of an executor key (false)'),
  SVC_EXECUTOR_EMBEDDED: setting('executor.embedded', 'start an executor together with the server (true)'),
  SVC_EXECUTOR_SLOTS: setting('executor.slots', 'concurrent runs of the embedded executor (2)'),
  SVC_EXECUTOR_KEY: setting(
    'executor.key',
    'shared secret of executors, 32 characters or more; without it only the embedded executor can connect',
  ),
  SVC_EXECUTOR_PREVIOUS_KEY: setting(
    'executor.previous_key',
    'the previous executor key, still accepted during a rotation',
  ),
  SVC_WORKER_THREADS: setting(
    'workers.threads',
    'threads for widgets, options, previews and connector tests (2)',
  ),
  SVC_WORKER_QUEUE_MAX: setting('workers.queue_max', 'calls that may wait for a thread (1000)'),
  SVC_WORKER_TASK_TIMEOUT_MS: setting('workers.task_timeout_ms', 'longest single call, in ms (10000)'),
  SVC_WORKER_MAX_HEAP_MB: setting('workers.max_heap_mb', 'heap limit of one thread, in MB (256)'),
  SVC_ENCRYPTION_KEY: setting(
    'security.encryption_key',
    'master key for stored secrets, 32 characters or more; on loopback generated into headgate.key if not set',
  ),
  SVC_PREVIOUS_ENCRYPTION_KEYS: setting(
    'security.previous_encryption_keys',
    'older master keys that may still decrypt, comma-separated (none)',
  ),
  SVC_SESSION_TTL_MINUTES: setting(
    'security.session_ttl_minutes',
    'sessions end after this many minutes (720)',
  ),
  SVC_SESSION_IDLE_MINUTES: setting(
    'security.session_idle_minutes',
    'idle sessions end after this many minutes (120)',
  ),
  SVC_RATE_LIMIT_PER_MINUTE: setting(
    'security.rate_limit_per_minute',
    'requests allowed per minute and address (6000)',
  ),
  SVC_OUTBOUND_POLICY: setting(
    'outbound.policy',
    'addresses allowed for webhooks, notification channels, metrics backends, the AI provider and connectors (not postgres, mysql and plug-ins): block-metadata, public-only or allowlist (block-metadata)',
  ),
  SVC_OUTBOUND_ALLOW: setting(
    'outbound.allow',
    'hosts, host:port, addresses and networks (CIDR) allowed under any policy, comma-separated (none)',
  ),
  SVC_FILE_ROOTS: setting('files.roots', 'folders that file connectors may use, comma-separated (none)'),
  SVC_CONNECTOR_ENV: setting(
    'connectors.env',
    `environment variables of the server that connectors may use as \${env:NAME}, comma-separated (none)`,
  ),
  SVC_CONNECTOR_FILES: setting(
    'connectors.files',
    `folders whose files connectors may use as \${file:PATH}, comma-separated (none)`,
  ),
  SVC_SCRIPTS: setting(
    'scripts.allow',
    'role required to save and try tasks with script steps: admin, editor or off; an executor with off does not run them (admin)',
  ),
  SVC_SCRIPT_PYTHON: setting(
    'scripts.python',
    'Python 3 for script steps, such as /usr/bin/python3 or that of a virtual environment; its code is not sandboxed (none)',
  ),
  SVC_SCRIPT_MEMORY_MB: setting(
    'scripts.memory_mb',
    'memory limit of a script step’s process, in MB, 64 to 65536 (256)',
  ),
  SVC_SCRIPT_UV: setting(
    'scripts.uv',
    'uv, which installs the locked dependencies of Python script steps, such as /usr/local/bin/uv (none)',
  ),
  SVC_SCRIPT_ENVIRONMENTS: setting(
    'scripts.environments',
    'folder for uv’s Python environments and cache; a uv.toml in it configures the package index (./environments)',
  ),
  SVC_SCRIPT_PACKAGES: setting(
    'scripts.packages',
    'npm packages that JavaScript script steps may import, as name=folder, comma-separated; each folder has a package-lock.json and the node_modules of npm ci (none)',
  ),
  SVC_SCRIPT_READ: setting(
    'scripts.read',
    'folders whose files script steps may read, comma-separated (none)',
  ),
  SVC_SCRIPT_WRITE: setting(
    'scripts.write',
    'folders in which script steps may write files, comma-separated (none)',
  ),
  SVC_SCRIPT_NETWORK: setting(
    'scripts.network',
    'hosts that script steps may connect to, as host or host:port, comma-separated (none)',
  ),
  SVC_PLUGINS: setting(
    'plugins',
    'programs that airbyte, singer and singer_target connectors may start, as name=command, comma-separated, or as a JSON list of {name, command, folder, memory_mb} (none)',
  ),
  SVC_DRIVERS: setting(
    'drivers',
    'custom drivers: module paths (./ or /) and npm package names, comma-separated; they run with the privileges of the server and its executors (none)',
  ),
  SVC_SQL_MEMORY_MB: setting(
    'sql.memory_mb',
    'memory of one query or set operation, in MB, 64 to 65536; beyond it rows spill to disk (384)',
  ),
  SVC_SQL_DISK_MB: setting(
    'sql.disk_mb',
    'maximum temporary disk space of one query or set operation, in MB, 1 to 10000000 (20480)',
  ),
  SVC_RUN_QUEUE_TIMEOUT_MINUTES: setting(
    'runs.queue_timeout_minutes',
    'fail runs that no executor claims within this many minutes; 0 = never (1440)',
  ),
  SVC_LOG_LEVEL: setting(
    'log.level',
    'log level of the server: trace, debug, info, warn, error or silent (info)',
  ),
  SVC_LOG_FORMAT: setting(
    'log.format',
    'log format: json, text, or auto: text on a terminal, JSON otherwise (auto)',
  ),
  SVC_LOG_RUN_BYTES_MAX: setting(
    'logs.run_bytes_max',
    'maximum log size per run, in bytes; lines beyond that are only counted (268435456)',
  ),
  SVC_RUN_RETENTION_DAYS: setting(
    'retention.run_days',
    'days to keep runs and job runs after their end; 0 = forever (90)',
  ),
  SVC_RUN_RETENTION_KEEP_LAST: setting(
    'retention.run_keep_last',
    'newest job runs of each job, and runs of each task without a job, to keep regardless of age (100)',
  ),
  SVC_AUDIT_RETENTION_DAYS: setting(
    'retention.audit_days',
    'days to keep audit log entries; 0 = forever (730)',
  ),
  SVC_LOG_RETENTION_DAYS: setting('retention.log_days', 'days to keep run logs; 0 = forever (30)'),
  SVC_LOG_RETENTION_BYTES: setting(
    'retention.log_bytes',
    'maximum total size of run logs, in bytes; beyond that the oldest are deleted; 0 = no limit (0)',
  ),
  SVC_PUBLIC_DASHBOARD_INPUT_ENABLED: setting(
    'public_dashboard_input_enabled',
    'allow input through share links, on dashboards that allow it too (false)',
  ),
  SVC_AI_PROVIDER: setting('ai.provider', 'wire format of the AI provider: openai or anthropic (openai)'),
  SVC_AI_API_KEY: setting('ai.api_key', 'API key of the AI provider; without it the AI routes are off'),
  SVC_AI_BASE_URL: setting('ai.base_url', 'base URL of the AI provider (the provider’s own)'),
  SVC_AI_MODEL: setting('ai.model', 'model name (gpt-5.4-mini or claude-sonnet-5, by provider)'),
};
