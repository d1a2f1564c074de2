import { statSync } from 'node:fs';
import { LRUCache } from 'lru-cache';
import { AppError } from '../../base/errors.ts';
import { canonicalJson, isRecord } from '../../base/json.ts';
import { connectorAppError } from '../../drivers/connector-app-error.ts';
import type { ConfigSchema } from '../../drivers/plugins/airbyte/config-schema.ts';
import type { Plugin } from '../../drivers/plugins/plugin.ts';
import { type CallPool, rethrowLimit } from './connector-calls.ts';
import type { CheckOf } from './connector-config.ts';

const KEPT_MAX = 100;
const KEPT_MS_MAX = 600_000;
const ANSWER_MS_MAX = 30_000;
const TYPE = 'airbyte';

/** What a plug-in says of its configuration. */
export interface PluginSpec {
  readonly plugin: string;
  /** JSON Schema; secrets are `writeOnly`. */
  readonly config: ConfigSchema;
}

export interface PluginSpecsDeps {
  readonly pool: Pick<CallPool, 'run'>;
  /** Those of the settings. */
  readonly plugins: readonly Plugin[];
}

export type PluginSpecs = ReturnType<typeof createPluginSpecs>;

/** Specifications of the programs of the settings, asked for when they are first needed and kept until their programs change. */
export function createPluginSpecs({ pool, plugins }: PluginSpecsDeps) {
  const kept = new LRUCache<string, Promise<PluginSpec>>({ max: KEPT_MAX, ttl: KEPT_MS_MAX });

  /** `NOT_FOUND` for a name that is not in the settings; `CONNECTOR_ERROR` where the program gives no specification. */
  async function spec(name: string): Promise<PluginSpec> {
    const plugin = plugins.find((one) => one.name === name);
    if (plugin === undefined)
      throw new AppError('NOT_FOUND', `There is no plug-in "${name}": see SVC_PLUGINS`);
    const key = canonicalJson([plugin, versionOf(plugin)]);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const asked = ask(name);
    kept.set(key, asked);
    asked.catch(() => kept.delete(key));
    return asked;
  }

  async function ask(name: string): Promise<PluginSpec> {
    const connector = { id: 0, version: 0, type: TYPE, config: { plugin: name } };
    const answer = await pool
      .run({ kind: 'plugin_spec', input: { connector } }, { timeoutMs: ANSWER_MS_MAX })
      .catch(rethrowWithHint)
      .catch(rethrowLimit);
    const { configSchemaOf } = await import('../../drivers/plugins/airbyte/config-schema.ts');
    try {
      return { plugin: name, config: configSchemaOf(JSON.parse(answer)) };
    } catch (error) {
      throw connectorAppError(error) ?? error;
    }
  }

  /**
   * What checks the configuration of a connector before it is saved: that of an Airbyte source by its specification. One that cannot be had
   * here, as where only executors have the program, refuses nothing: the test of the connector says what is wrong.
   */
  const check: CheckOf = async (type, given, { withoutSecrets } = { withoutSecrets: false }) => {
    const name = given['plugin'];
    if (type !== TYPE || typeof name !== 'string') return () => [];
    const found = await spec(name).catch(() => null);
    if (found === null) return () => [];
    const { configProblems } = await import('../../drivers/plugins/airbyte/config-problems.ts');
    const { withoutRequiredSecrets } = await import('../../drivers/plugins/airbyte/config-schema.ts');
    const schema = withoutSecrets ? withoutRequiredSecrets(found.config) : found.config;
    return ({ config = {}, secrets = {} }) =>
      isRecord(config) && isRecord(secrets) ? configProblems(schema, config, secrets) : [];
  };

  return { names: () => plugins.map(({ name }) => name), spec, check };
}

function rethrowWithHint(error: unknown): never {
  if (!(error instanceof AppError) || error.code !== 'CONNECTOR_ERROR') throw error;
  const hint = 'Only Airbyte sources describe their configuration; Singer taps and targets do not';
  throw new AppError('CONNECTOR_ERROR', `${error.message}. ${hint}`, { cause: error });
}

/** Of the files that its command names: a program that is installed anew has others. */
function versionOf({ command }: Plugin): readonly (readonly number[])[] {
  return command.map((part) => {
    if (!part.includes('/')) return [];
    try {
      const { mtimeMs, size } = statSync(part);
      return [mtimeMs, size];
    } catch {
      return [];
    }
  });
}
