import { z } from 'zod';
import { AI_KEY, AI_PROVIDERS, isPlainHttpUrl } from '../../config.ts';

interface ServerSetting {
  /** The schema of the value as JSON; the default always satisfies it. */
  readonly schema: z.ZodType;
  readonly fallback: unknown;
  /** Stored encrypted, read as a mask. */
  readonly secret: boolean;
  readonly description: string;
}

const LINE = /^\P{Cc}*$/u;

function setting<S extends z.ZodType>(
  schema: S,
  fallback: z.output<S>,
  description: string,
  { secret = false } = {},
) {
  return { schema, fallback, secret, description };
}

/** The settings that can be changed while the servers run, by key. Every server reads a setting each time it needs it. */
export const SERVER_SETTINGS = {
  'ai.provider': setting(
    z.enum(AI_PROVIDERS),
    'openai',
    'Wire format of the model provider: `openai` for chat completions (OpenAI, Ollama, vLLM and others), `anthropic` for messages.',
  ),
  'ai.api_key': setting(
    z.string().regex(AI_KEY, 'must be printable characters without spaces').nullable(),
    null,
    'API key of the model provider. Any text if the provider needs none.',
    { secret: true },
  ),
  'ai.base_url': setting(
    z.string().refine(isPlainHttpUrl, 'must be a plain http(s) URL without credentials').nullable(),
    null,
    'Address of the model provider, such as `http://127.0.0.1:11434/v1`; null for the provider’s default.',
  ),
  'ai.model': setting(
    z.string().trim().min(1).max(200).regex(LINE, 'must be one line').nullable(),
    null,
    'Name of the model; null for the provider’s default.',
  ),
  'ai.max_tokens': setting(z.int().min(256).max(128_000), 16_000, 'Longest answer of the model, in tokens.'),
  'ai.timeout_seconds': setting(z.int().min(5).max(300), 120, 'Longest wait for one answer of the model.'),
  'retention.run_days': setting(
    z.int().min(0).max(36_500),
    90,
    'Days to keep runs and job runs after their end; 0 = forever.',
  ),
  'retention.run_keep_last': setting(
    z.int().min(0).max(1_000_000),
    100,
    'Newest job runs of each job, and runs of each task without a job, that stay however old they are.',
  ),
  'retention.audit_days': setting(
    z.int().min(0).max(36_500),
    730,
    'Days to keep the entries of the audit log; 0 = forever.',
  ),
  'retention.log_days': setting(z.int().min(0).max(36_500), 30, 'Days to keep a log; 0 = forever.'),
  'retention.log_bytes': setting(
    z.int().min(0).max(1_000_000_000_000_000),
    0,
    'Total bytes of all logs; beyond it the oldest are deleted; 0 = no limit.',
  ),
  public_dashboard_input_enabled: setting(
    z.boolean(),
    false,
    'Whether share links may send input, if the dashboard allows it too.',
  ),
} as const satisfies Readonly<Record<string, ServerSetting>>;

export type SettingKey = keyof typeof SERVER_SETTINGS;
export type ServerSettings = { readonly [K in SettingKey]: z.output<(typeof SERVER_SETTINGS)[K]['schema']> };

export const SETTING_KEYS = Object.keys(SERVER_SETTINGS) as readonly SettingKey[];

export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(SERVER_SETTINGS, key);
}

/** The source of a value. `environment`: `SVC_*` or `headgate.yaml`, which win over stored values. */
export const SETTING_SOURCES = ['default', 'stored', 'environment'] as const;
export type SettingSource = (typeof SETTING_SOURCES)[number];
