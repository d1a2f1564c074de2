import { z } from 'zod';
import { PLUGIN_KEYS } from '../../plugin-config.ts';

export const singerTargetConfig = z.strictObject({
  ...PLUGIN_KEYS,
  silence_timeout_seconds: PLUGIN_KEYS.silence_timeout_seconds.describe(
    'The target is terminated if it accepts no row for this many seconds, or does not exit within this many seconds after the last one.',
  ),
  upserts: z
    .boolean()
    .default(false)
    .describe(
      'Whether the target, as configured, replaces the row with the same `key_properties`; allows the load mode `upsert`.',
    ),
});
