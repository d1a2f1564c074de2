import { z } from 'zod';

/** Keys of a configuration that say how a load that makes several files does. */
export const SET_KEYS = {
  part_mb: z
    .int()
    .min(1, 'Give at least 1')
    .max(100_000, 'Give at most 100,000')
    .default(256)
    .describe(
      'File size in megabytes, before compression, after which a load with `{part}` in its `object` starts the next file.',
    ),
};

export function partBytesOf({ part_mb }: { readonly part_mb: number }): number {
  return part_mb * 1024 * 1024;
}
