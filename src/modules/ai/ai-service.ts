import type { Clock } from '../../base/clock.ts';
import { AppError, validationError } from '../../base/errors.ts';
import type { Store } from '../../store/store.ts';
import type { Actor } from '../audit/audit.ts';
import { insertAudit } from '../audit/audit-store.ts';
import type { ServerConfigs } from '../server/server-config-service.ts';
import type { ServerSettings } from '../server/server-setting.ts';
import {
  type GenerateDeps,
  type GeneratedDefinition,
  type GenerationProgress,
  generateDefinition,
} from './generate-definition.ts';
import { type GenerationRequest, gatherMaterial, type MaterialDeps } from './generation-material.ts';
import { type ModelProvider, type ModelSettings, PROVIDERS } from './model.ts';

/** Generations at once in one server: each holds a connection for minutes. */
const AT_ONCE_MAX = 4;
const RETRY_AFTER_SECONDS = 15;

export interface AiDeps
  extends Omit<GenerateDeps, 'schemas'>,
    Pick<MaterialDeps, 'introspect' | 'lookMsMax'> {
  readonly store: Store;
  readonly clock: Clock;
  readonly settings: ServerConfigs['effective'];
}

export type Ai = ReturnType<typeof createAi>;

/** The public part of the model's settings, without its key. */
export interface AiStatus {
  readonly configured: boolean;
  readonly provider: ModelProvider;
  readonly model: string;
  readonly base_url_host: string;
  readonly max_tokens: number;
  readonly timeout_seconds: number;
}

/** The action in the audit log, by what the model writes. */
const ACTIONS = {
  task: 'ai.generate_task',
  'job-template': 'ai.generate_job_template',
  dashboard: 'ai.generate_dashboard_template',
} as const;

/** A model that writes definitions. It gets the material that a request names, and returns a text that is neither saved nor run. */
export function createAi(deps: AiDeps) {
  let running = 0;
  const schemas: GenerateDeps['schemas'] = new Map();

  async function status(): Promise<AiStatus> {
    const settings = await deps.settings();
    const { provider, model, baseUrl } = modelOf(settings);
    return {
      configured: settings['ai.api_key'] !== null,
      provider,
      model,
      base_url_host: new URL(baseUrl ?? PROVIDERS[provider].baseUrl).host,
      max_tokens: settings['ai.max_tokens'],
      timeout_seconds: settings['ai.timeout_seconds'],
    };
  }

  /**
   * The request with all of its material. `VALIDATION_ERROR` without a key, or if something named does not exist;
   * `RATE_LIMITED` at the limit of concurrent generations.
   */
  async function prepare(request: GenerationRequest) {
    const settings = await deps.settings();
    if (settings['ai.api_key'] === null) throw notConfigured();
    requireRoom();
    const model = { ...modelOf(settings), apiKey: settings['ai.api_key'] };
    return { model, material: await gatherMaterial({ ...deps, db: deps.store.read }, request) };
  }

  /** As `generateDefinition`, for the result of `prepare`. Receiver and content are audited before sending. */
  async function generate(
    { model, material }: Awaited<ReturnType<typeof prepare>>,
    progress: GenerationProgress,
    actor: Actor,
    signal: AbortSignal,
  ): Promise<GeneratedDefinition> {
    requireRoom();
    running += 1;
    try {
      const { kind, connectors, changed } = material.wish;
      const entry = { action: ACTIONS[kind], resourceType: 'ai', resourceId: null };
      const diff = {
        provider: model.provider,
        model: model.model,
        connector_ids: connectors.map(({ id }) => id),
        reference_ids: material.referencesUsed.map(({ id }) => id),
        changed: changed?.name ?? null,
      };
      await deps.store.write((tx) => insertAudit(tx, actor, { ...entry, diff }, deps.clock.now()));
      return await generateDefinition({ ...deps, schemas }, model, material, progress, signal);
    } finally {
      running -= 1;
    }
  }

  function requireRoom(): void {
    if (running < AT_ONCE_MAX) return;
    throw new AppError(
      'RATE_LIMITED',
      `The server is already generating ${AT_ONCE_MAX} texts: try again later`,
      {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      },
    );
  }

  return { status, prepare, generate };
}

function modelOf(settings: ServerSettings): Omit<ModelSettings, 'apiKey'> {
  const provider = settings['ai.provider'];
  return {
    provider,
    baseUrl: settings['ai.base_url'],
    model: settings['ai.model'] ?? PROVIDERS[provider].model,
    maxTokens: settings['ai.max_tokens'],
    timeoutMs: settings['ai.timeout_seconds'] * 1_000,
  };
}

function notConfigured(): AppError {
  const message =
    '"ai.api_key" is not set: a superadmin sets it with PUT /api/server/config, or the environment with SVC_AI_API_KEY';
  return validationError([{ path: 'ai.api_key', message }]);
}
