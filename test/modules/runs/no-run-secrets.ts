import { createRedactor } from '../../../src/base/text/redactor.ts';
import type { RunSecrets } from '../../../src/modules/run-logs/run-secrets.ts';

/** For where nothing is secret. */
export const noRunSecrets: RunSecrets = {
  secretsOf: async () => [],
  redactorOf: async () => createRedactor([]),
};
