import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { messageOf, type Problem } from './base/errors.ts';
import { deepFreeze, isRecord } from './base/json.ts';
import { isLoopback } from './base/outbound/address.ts';
import { parseAllowList } from './base/outbound/allow-list.ts';
import { OUTBOUND_POLICIES } from './base/outbound/outbound-policy.ts';
import { weaknessOf } from './base/text/weak-secret.ts';
import { SETTINGS, TESTING_SETTINGS } from './settings.ts';

/** A whole number, or its digits: the environment has only text. Nothing else passes for one, not `null`, `true` or `0x10`. */
const count = (min: number, max: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value),
    z.int().min(min).max(max),
  );
const port = count(0, 65_535);
const flag = z
  .union([z.boolean(), z.enum(['true', 'false', '1', '0'])])
  .transform((v) => v === true || v === 'true' || v === '1');
const list = z.union([
  z.array(z.string()),
  z.string().transform((text) =>
    text
      .split(',')
      .map((s) => s.trim())
      .filter(Boolean),
  ),
]);
/** `true` trusts one proxy, the nearest: it alone is known to have written the last address of the header. */
const proxies = z.union([
  flag.transform((trusted) => (trusted ? 1 : 0)),
  count(1, 10),
  list.refine(
    (addresses) => addresses.length > 0 && addresses.every(isAddressRange),
    'must be true, false, a number of proxies, or addresses such as "10.0.0.0/8" by commas',
  ),
]);
const secret = z.string().min(32, 'must be at least 32 characters long; make one with: openssl rand -hex 32');

function isAddressRange(text: string): boolean {
  const [address = '', bits] = text.split('/');
  return isIP(address) !== 0 && (bits === undefined || /^\d{1,3}$/.test(bits));
}

const optional = <T extends z.ZodType>(schema: T) => schema.nullable().default(null);

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
  metrics: z.strictObject({ path: z.string().default('./metrics.db') }).prefault({}),
  http: z
    .strictObject({
      host: z.string().default('127.0.0.1'),
      port: port.default(8080),
      public_url: optional(z.url({ protocol: /^https?$/ })),
      body_limit: count(1_024, 64 * 1_048_576).default(4 * 1_048_576),
      trust_proxy: proxies.default(0),
    })
    .prefault({}),
  grpc: z
    .strictObject({
      host: z.string().default('127.0.0.1'),
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
          context.addIssue(`"${parsed.entry}" is no host, host:port, address or network (CIDR)`);
      }),
    })
    .prefault({}),
  files: z.strictObject({ roots: list.default([]) }).prefault({}),
  log: z
    .strictObject({ level: z.enum(LOG_LEVELS).default('info'), format: z.enum(LOG_FORMATS).default('auto') })
    .prefault({}),
  logs: z
    .strictObject({ run_bytes_max: count(65_536, 1_000_000_000_000).default(256 * 1_048_576) })
    .prefault({}),
  // Null: left to what is stored over the API, whose keys have the defaults (`server-setting.ts`).
  retention: z
    .strictObject({
      log_days: optional(count(0, 36_500)),
      log_bytes: optional(count(0, 1_000_000_000_000_000)),
    })
    .prefault({}),
  public_dashboard_input_enabled: optional(flag),
  ai: z
    .strictObject({
      provider: optional(z.enum(AI_PROVIDERS)),
      api_key: optional(z.string().regex(AI_KEY, 'must be printable characters without blanks')),
      base_url: optional(
        z.string().refine(isPlainHttpUrl, 'must be a plain http(s) URL without credentials'),
      ),
      model: optional(z.string().min(1).max(200)),
    })
    .prefault({}),
  runs: z.strictObject({ queue_timeout_minutes: count(0, 525_600).default(1_440) }).prefault({}),
  testing: z
    .strictObject({
      crash_at: optional(z.string().regex(/^[a-z.-]+:[1-9]\d{0,6}$/, 'must be PLACE:N')),
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
    for (const issue of parsed.error.issues) {
      const path = issue.path.map(String).join('.');
      problems.push({ path, message: `${nameOf(path)}: ${issue.message}` });
    }
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
  const open = HOSTS.map((path) => at(merged, path)).find(
    (host) => typeof host === 'string' && !isLoopback(host),
  );
  if (open === undefined) return [];
  const problems: Problem[] = [];
  for (const path of SECRETS) {
    const value = at(merged, path) ?? null;
    if (known.some((problem) => problem.path === path)) continue;
    const what = value === null ? 'is not set' : typeof value === 'string' ? weaknessOf(value) : null;
    if (what === null) continue;
    problems.push({ path, message: `${nameOf(path)} ${what}: needed to listen on "${String(open)}"` });
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
    return { ok: false, problems: [{ path: '', message: `"${path}" must hold a map of settings` }] };
  } catch (error) {
    return { ok: false, problems: [{ path: '', message: `"${path}" is not YAML: ${messageOf(error)}` }] };
  }
}

/** A misspelt name would be silently without effect: it is refused. */
function unknownNames(env: NodeJS.ProcessEnv): Problem[] {
  return Object.keys(env)
    .filter((name) => name.startsWith('SVC_') && !OTHER_NAMES.includes(name) && !(name in NAMES))
    .map((name) => ({ path: '', message: `${name} is not a setting; \`headgate serve --help\` lists them` }));
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
