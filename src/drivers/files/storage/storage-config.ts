import type { z } from 'zod';
import { type S3Config, s3Problems } from '../s3/s3-config.ts';

/** For `superRefine` of a configuration with `path` and the keys of storages. */
export function refineStorage(
  config: S3Config & { readonly path: string },
  context: z.core.$RefinementCtx,
): void {
  for (const { key, message } of s3Problems(config))
    context.addIssue({ code: 'custom', path: [key], message });
}
