import { z } from 'zod';
import { CONNECTOR_USES_MAX, USE_FIGURES } from '../../base/connectors/connector-use.ts';
import { eachFigure } from '../../base/run-report.ts';
import { whole } from '../executors/executor-schemas.ts';

const at = whole.describe('Milliseconds since 1970');

const connectorUse = z.strictObject({
  ...eachFigure(USE_FIGURES, () => whole),
  ms: whole.describe('Time spent in its calls'),
  last_success_at: whole.describe('When the last call was answered; 0 for never'),
  unreachable_since: whole.describe(
    'When the first call since then could not reach it, or was refused its credentials; 0 for never',
  ),
  last_error: z.strictObject({ at, code: z.string(), message: z.string() }).nullable(),
});

/** Of a completion. */
export const connectorUses = z
  .array(connectorUse)
  .max(CONNECTOR_USES_MAX)
  .optional()
  .describe('Calls of saved connectors; may be absent');
