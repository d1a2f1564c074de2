import { z } from 'zod';
import { PLUGIN_KEYS } from '../../plugin-config.ts';

export const singerTargetConfig = z.strictObject({
  ...PLUGIN_KEYS,
  silence_timeout_seconds: PLUGIN_KEYS.silence_timeout_seconds.describe(
    'The target is ended when it takes no row for this long, or has not ended this long after the last one, in seconds.',
  ),
  upserts: z
    .boolean()
    .default(false)
    .describe(
      'Whether the target, as it is configured, replaces the row with the same `key_properties`: allows the load mode `upsert`.',
    ),
});
