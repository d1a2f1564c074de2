import { systemClock } from '../src/base/clock.ts';
import { connectorAppError } from '../src/drivers/connector-app-error.ts';
import { createDrivers } from '../src/drivers/registry.ts';
import { type PreviewOutcome, previewTask } from '../src/engine/preview-task.ts';
import { hostSettings, serveTasks } from '../src/threads/serve-tasks.ts';

/** The API's names. */
function toAnswer({ failure, steps }: PreviewOutcome) {
  return {
    failure: failure && { code: failure.code, message: failure.message, step: failure.stepId || null },
    steps: steps.map(({ stepId, rowsIn, rowsFailed, rowsSkipped, durationMs, ...step }) => ({
      step_id: stepId,
      ...step,
      rows_in: rowsIn,
      rows_failed: rowsFailed,
      rows_skipped: rowsSkipped,
      duration_ms: Math.round(durationMs * 100) / 100,
    })),
  };
}

function createPreview() {
  const drivers = createDrivers();
  const connectContext = hostSettings().data;
  return serveTasks<'preview'>(
    {
      preview: async ({ yaml, args, jobConfig, connectors, rowsMax }, signal) => {
        const input = { yaml, args, jobConfig, connectors, run: { id: 0, attempt: 1 }, timeoutMs: 0 };
        const context = { drivers, connectContext, clock: systemClock, random: Math.random, signal };
        return JSON.stringify(toAnswer(await previewTask(input, context, { rowsMax })));
      },
    },
    { toAppError: connectorAppError },
  );
}

export default createPreview();
