import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { messageOf, type Problem } from './base/errors.ts';
import { deepFreeze, isRecord } from './base/json.ts';
import { isLoopback } from './base/outbound/address.ts';
import { parseAllowList } from './base/outbound/allow-list.ts';
import { OUTBOUND_POLICIES } from './base/outbound/outbound-policy.ts';
import { meantSetting } from './base/settings/meant-setting.ts';
import { plugins } from './base/settings/plugin-settings.ts';
import { scripts } from './base/settings/script-settings.ts';
import { settingIssues } from './base/settings/setting-problem.ts';
import { count, flag, host, list, optional, port, proxies, secret } from './base/settings/setting-values.ts';
import { weaknessOf } from './base/text/weak-secret.ts';
import { SETTINGS, TESTING_SETTINGS } from './settings.ts';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
const LOG_FORMATS = ['auto', 'json', 'text'] as const;
/** The wire formats that AI providers speak. */
export const AI_PROVIDERS = ['openai', 'anthropic'] as const;
/** A key goes out as a header: printable ASCII without blanks. */
export const AI_KEY = /^[!-~]{1,1000}$/;

/** What people read, so without credentials; a path is kept, a query or a fragment would be lost. */
export function isPlainHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || text.length > 1_000 || /[\s?#]/.test(text)) return false;
  return /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}

/** None of `SVC_*`: those hold the server's own keys. */
const VARIABLE_NAME = /^(?!SVC_)[A-Za-z_][A-Za-z0-9_]*$/;

const schema = z.strictObject({
  state: z
    .strictObject({
      localdb: z.strictObject({ path: z.string().min(1) }).optional(),
      serverdb: z
        .strictObject({
          url: z.string().regex(/^postgres(ql)?:\/\//, 'must be a postgres:// URL'),
          pool_max: count(2, 200).default(20),
        })
        .optional(),
    })
    .default({ localdb: { path: './state.db' } })
    .refine((state) => !(state.localdb && state.serverdb), 'has both localdb and serverdb: keep one'),
  metrics: z
    .strictObject({ path: z.string().default('./metrics.db'), series_max: count(0, 100_000).default(500) })
    .prefault({}),
  http: z
    .strictObject({
      host: host.default('127.0.0.1'),
      port: port.default(8080),
      public_url: optional(z.url({ protocol: /^https?$/ })),
      body_limit: count(1_024, 64 * 1_048_576).default(4 * 1_048_576),
      trust_proxy: proxies.default(0),
    })
    .prefault({}),
  grpc: z
    .strictObject({
      host: host.default('127.0.0.1'),
      port: port.default(0),
      tls: optional(z.strictObject({ cert: z.string(), key: z.string(), client_ca: optional(z.string()) })),
      reflection: flag.default(false),
    })
    .prefault({}),
  executor: z
    .strictObject({
      embedded: flag.default(true),
      slots: count(1, 256).default(2),
      key: optional(secret),
      previous_key: optional(secret),
    })
    .prefault({}),
  workers: z
    .strictObject({
      threads: count(1, 64).default(2),
      queue_max: count(1, 100_000).default(1_000),
      task_timeout_ms: count(100, 600_000).default(10_000),
      max_heap_mb: count(32, 8_192).default(256),
    })
    .prefault({}),
  security: z
    .strictObject({
      encryption_key: optional(secret),
      previous_encryption_keys: list.default([]),
      session_ttl_minutes: count(5, 43_200).default(720),
      session_idle_minutes: count(5, 43_200).default(120),
      rate_limit_per_minute: count(10, 10_000_000).default(6_000),
    })
    .prefault({}),
  outbound: z
    .strictObject({
      policy: z.enum(OUTBOUND_POLICIES).default('block-metadata'),
      allow: list.default([]).superRefine((entries, context) => {
        const parsed = parseAllowList(entries);
        if (!parsed.ok)
          context.addIssue(`"${parsed.entry}" is not a host, host:port, address or network (CIDR)`);
      }),
    })
    .prefault({}),
  files: z.strictObject({ roots: list.default([]) }).prefault({}),
  connectors: z
    .strictObject({
      env: list.default([]).superRefine((names, context) => {
        for (const name of names.filter((one) => !VARIABLE_NAME.test(one)))
          context.addIssue(`"${name}" is not a variable name, or is one of the server's own settings`);
      }),
      files: list.default([]),
    })
    .prefault({}),
  log: z
    .strictObject({ level: z.enum(LOG_LEVELS).default('info'), format: z.enum(LOG_FORMATS).default('auto') })
    .prefault({}),
  logs: z.strictObject({ run_bytes_max: count(65_536, 1e12).default(256 * 1_048_576) }).prefault({}),
  // Null: left to what is stored over the API, whose keys have the defaults (`server-setting.ts`).
  retention: z
    .strictObject({
      run_days: optional(count(0, 36_500)),
      run_keep_last: optional(count(0, 1_000_000)),
      audit_days: optional(count(0, 36_500)),
      log_days: optional(count(0, 36_500)),
      log_bytes: optional(count(0, 1_000_000_000_000_000)),
    })
    .prefault({}),
  public_dashboard_input_enabled: optional(flag),
  ai: z
    .strictObject({
      provider: optional(z.enum(AI_PROVIDERS)),
      api_key: optional(z.string().regex(AI_KEY, 'must be printable characters without spaces')),
      base_url: optional(
        z.string().refine(isPlainHttpUrl, 'must be a plain http(s) URL without credentials'),
      ),
      model: optional(z.string().min(1).max(200)),
    })
    .prefault({}),
  memory: z.strictObject({ sqlite_cache_mb: count(1, 16_384).default(16) }).prefault({}),
  plugins: plugins.prefault([]),
  drivers: list.default([]),
  scripts: scripts.prefault({}),
  sql: z
    .strictObject({
      memory_mb: count(64, 65_536).default(384),
      disk_mb: count(1, 10_000_000).default(20_480),
    })
    .prefault({}),
  runs: z.strictObject({ queue_timeout_minutes: count(0, 525_600).default(1_440) }).prefault({}),
  testing: z
    .strictObject({
      crash_at: optional(z.string().regex(/^(@.+|[a-z.-]+:[1-9]\d{0,6})$/, 'must be PLACE:N or @FILE')),
      lease_ttl_ms: optional(count(2_000, 30_000)),
    })
    .prefault({}),
});

/** Not of the server: where its settings are, and what commands that talk to a server read (`src/commands/`). */
const OTHER_NAMES = ['SVC_CONFIG_FILE', 'SVC_SERVER', 'SVC_TOKEN'];
const NAMES = { ...SETTINGS, ...TESTING_SETTINGS };

export type Config = Readonly<z.infer<typeof schema>>;
export type ConfigResult =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Settings: `SVC_*` (`settings.ts`) over `headgate.yaml` or `SVC_CONFIG_FILE` over defaults, checked all at once, frozen. */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): ConfigResult {
  const file = readConfigFile(env);
  if (!file.ok) return file;
  const problems = unknownNames(env);
  const merged = structuredClone(file.value);
  for (const [name, setting] of Object.entries(NAMES)) {
    const value = env[name];
    if (value !== undefined && value !== '') setAt(merged, setting.path, value);
  }
  preferStoreOfEnvironment(merged, env);
  const parsed = schema.safeParse(merged);
  if (!parsed.success) {
    for (const issue of parsed.error.issues.flatMap((one) => settingIssues(one, merged)))
      problems.push({ path: issue.path, message: `${nameOf(issue.path)}: ${issue.text}` });
  }
  problems.push(...beyondLoopback(merged, problems));
  if (problems.length > 0 || !parsed.success) return { ok: false, problems };
  return { ok: true, config: deepFreeze(parsed.data) };
}

/** The environment wins over the file as a whole: where it names one store, that of the file is none. Both named: refused. */
function preferStoreOfEnvironment(merged: Record<string, unknown>, env: NodeJS.ProcessEnv): void {
  const state = merged['state'];
  if (!isRecord(state)) return;
  if (env['SVC_STATE_URL'] && !env['SVC_STATE_PATH']) delete state['localdb'];
  if (env['SVC_STATE_PATH'] && !env['SVC_STATE_URL']) delete state['serverdb'];
}

const HOSTS = ['http.host', 'grpc.host'];
const EXECUTOR_KEY = 'executor.key';
const ENCRYPTION_KEY = 'security.encryption_key';
const SECRETS = [EXECUTOR_KEY, ENCRYPTION_KEY];

/** Secrets that are missing, samples or the same one twice, where the server would listen beyond this machine; reported together with all other problems. */
function beyondLoopback(merged: Record<string, unknown>, known: readonly Problem[]): Problem[] {
  const isKnown = (path: string) => known.some((problem) => problem.path === path);
  const hosts = HOSTS.filter((path) => !isKnown(path)).map((path) => at(merged, path));
  const open = hosts.find((host) => typeof host === 'string' && !isLoopback(host));
  if (open === undefined) return [];
  const problems: Problem[] = [];
  for (const path of SECRETS) {
    const value = at(merged, path) ?? null;
    if (isKnown(path)) continue;
    const what = value === null ? 'is not set' : typeof value === 'string' ? weaknessOf(value) : null;
    if (what === null) continue;
    const message = `${nameOf(path)} ${what}: required to listen on "${String(open)}"; generate one with: openssl rand -hex 32`;
    problems.push({ path, message });
  }
  const [shared, sealing] = SECRETS.map((path) => at(merged, path) ?? null);
  if (shared !== null && shared === sealing)
    problems.push({
      path: ENCRYPTION_KEY,
      message: `${nameOf(ENCRYPTION_KEY)} is the same as ${nameOf(EXECUTOR_KEY)}: every executor would hold the key that encrypts stored secrets`,
    });
  return problems;
}

function at(settings: Record<string, unknown>, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), settings);
}

type FileResult = { ok: true; value: Record<string, unknown> } | { ok: false; problems: Problem[] };

/** Path of the settings' file as given, which need not exist. */
export function configFile(env: NodeJS.ProcessEnv = process.env): string {
  return env['SVC_CONFIG_FILE'] ?? 'headgate.yaml';
}

function readConfigFile(env: NodeJS.ProcessEnv): FileResult {
  const path = configFile(env);
  let text: string;
  try {
    text = readFileSync(resolve(path), 'utf8');
  } catch (error) {
    if (env['SVC_CONFIG_FILE'] === undefined) return { ok: true, value: {} };
    return {
      ok: false,
      problems: [{ path: '', message: `SVC_CONFIG_FILE "${path}" cannot be read: ${messageOf(error)}` }],
    };
  }
  try {
    const value: unknown = parse(text) ?? {};
    if (isRecord(value)) return { ok: true, value };
    return { ok: false, problems: [{ path: '', message: `"${path}" must contain a map of settings` }] };
  } catch (error) {
    return {
      ok: false,
      problems: [{ path: '', message: `"${path}" is not YAML: ${firstLineOf(messageOf(error))}` }],
    };
  }
}

/** The parser's message goes on with an excerpt of the file, which may hold secrets. */
function firstLineOf(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/:$/, '');
}

/** A misspelt name would be silently without effect: it is refused. */
function unknownNames(env: NodeJS.ProcessEnv): Problem[] {
  return Object.keys(env)
    .filter((name) => name.startsWith('SVC_') && !OTHER_NAMES.includes(name) && !(name in NAMES))
    .map((name) => ({
      path: '',
      message: `${name} is not a setting; ${meantSetting(name, Object.keys(SETTINGS))}`,
    }));
}

/** A variable of the environment that a person's own file names (`${env:NAME}`); undefined where it is not set. */
export function variableNamed(name: string, env: NodeJS.ProcessEnv = process.env): string | undefined {
  return env[name];
}

function nameOf(path: string): string {
  const found = Object.entries(NAMES).find(([, setting]) => setting.path.join('.') === path);
  return found === undefined ? path : `${path} (${found[0]})`;
}

function setAt(target: Record<string, unknown>, path: readonly string[], value: string): void {
  let section = target;
  for (const key of path.slice(0, -1)) {
    const next = section[key];
    if (isRecord(next)) section = next;
    else {
      const made: Record<string, unknown> = {};
      section[key] = made;
      section = made;
    }
  }
  section[path.at(-1) ?? ''] = value;
}
