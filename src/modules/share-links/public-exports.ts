import { Places } from '../../base/concurrency/places.ts';
import { AppError } from '../../base/errors.ts';
import type { ExportFile, WidgetService } from '../dashboard-widgets/widget-viewer.ts';

/** Of the exports that a control plane makes at once: strangers who read slowly leave room for members. */
const AT_ONCE_MAX = 4;
/** However slowly its client reads. */
const EXPORT_MS_MAX = 600_000;
const RETRY_SECONDS = 10;

/** Exports for strangers: four at once, ten minutes each; more are `NOT_READY`. */
export function createPublicExports(openExport: WidgetService['openExport']): WidgetService['openExport'] {
  const places = new Places(AT_ONCE_MAX, tooManyFiles);

  return async (row, widgetId, request, viewer) => {
    viewer.signal.throwIfAborted();
    const signal = AbortSignal.any([viewer.signal, AbortSignal.timeout(EXPORT_MS_MAX)]);
    const release = places.take(signal);
    try {
      const file = await openExport(row, widgetId, request, { ...viewer, signal });
      return { ...file, chunks: untilRead(file.chunks, release) };
    } catch (error) {
      release();
      throw error;
    }
  };
}

async function* untilRead(chunks: ExportFile['chunks'], release: () => void): AsyncGenerator<string> {
  try {
    yield* chunks;
  } finally {
    release();
  }
}

function tooManyFiles(): AppError {
  return new AppError('NOT_READY', 'Too many files are made at once', { retryAfterSeconds: RETRY_SECONDS });
}
