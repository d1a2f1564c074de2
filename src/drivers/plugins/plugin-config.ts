import { z } from 'zod';

/** Configuration keys of a connector that a plug-in does the work of. */
export const PLUGIN_KEYS = {
  plugin: z
    .string()
    .min(1, 'Give the name of a plug-in')
    .max(100)
    .describe('Name of a program in the setting `SVC_PLUGINS`.'),
  config: z
    .record(z.string(), z.unknown())
    .default({})
    .describe('Its configuration, in its own format, without secrets.'),
  secrets: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Its secrets, at the same paths as in `config`; the two are merged.'),
  silence_timeout_seconds: z
    .int()
    .min(1)
    .max(86_400)
    .default(300)
    .describe('The program is terminated if it writes nothing for this many seconds.'),
};

export type PluginConfig = z.output<z.ZodObject<typeof PLUGIN_KEYS>>;

export const PLUGIN_SECRETS = ['secrets'];

/** Where a program connects to is anywhere in its configuration. */
export const PLUGIN_HOST_KEYS = ['plugin', 'config'];
