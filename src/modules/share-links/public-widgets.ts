import type { Clock } from '../../base/clock.ts';
import { Semaphore } from '../../base/concurrency/semaphore.ts';
import { AppError, type ErrorCode, type Problem } from '../../base/errors.ts';
import type { Store } from '../../store/store.ts';
import { insertAudit } from '../audit/audit-store.ts';
import {
  type ExportFile,
  requireInput,
  type WidgetService,
  type WidgetViewer,
} from '../dashboard-widgets/widget-viewer.ts';
import type { DashboardRow } from '../dashboards/dashboard.ts';
import { NO_DATA, publicError, publicProblems } from './public-error.ts';

/** Of the exports that a control plane makes at once: strangers who read slowly leave room for members. */
const AT_ONCE_MAX = 4;
/** However slowly its client reads. */
const EXPORT_MS_MAX = 600_000;
const RETRY_SECONDS = 10;

export interface PublicWidgetsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly widgets: WidgetService;
}

const ROWS_PATHS = ['sort', 'search', 'filters', 'filter', 'cursor'];
/** Refused before anything was done. */
const REFUSALS: readonly ErrorCode[] = [
  'FORBIDDEN',
  'NOT_FOUND',
  'VALIDATION_ERROR',
  'RATE_LIMITED',
  'PRECONDITION_FAILED',
];

/** One use of a widget by a stranger. */
interface Use {
  readonly row: DashboardRow;
  readonly widgetId: string;
  readonly viewer: WidgetViewer;
}

/**
 * What a stranger does with a widget through a share link: as a member does, but errors show nothing that is private, a read-only
 * link takes no input, and refusals are audited as well as what is done.
 */
export function createPublicWidgets({ store, clock, widgets }: PublicWidgetsDeps): WidgetService {
  const openExport = createPublicExports(widgets.openExport);

  async function note(
    { row, widgetId, viewer }: Use,
    action: 'dashboard.submit' | 'dashboard.action',
    refusal: ErrorCode | null,
  ): Promise<void> {
    const diff = { widget_id: widgetId, ...(refusal !== null && { error: refusal }) };
    const outcome = refusal === null ? 'success' : 'denied';
    const entry = { action, resourceType: 'dashboard', resourceId: row.id, diff, outcome } as const;
    await store.write((tx) => insertAudit(tx, viewer.actor, entry, clock.now()));
  }

  return {
    rows: (row, widgetId, request, viewer) =>
      withPublicErrors({ row, widgetId, viewer }, ROWS_PATHS, NO_DATA, () =>
        widgets.rows(row, widgetId, request, viewer),
      ),

    openExport: (row, widgetId, request, viewer) =>
      withPublicErrors({ row, widgetId, viewer }, ROWS_PATHS, NO_DATA, () =>
        openExport(row, widgetId, request, viewer),
      ),

    options: (row, widgetId, request, viewer) =>
      withPublicErrors(
        { row, widgetId, viewer },
        ['cursor'],
        'The options of this widget are not available right now',
        async () => {
          // A reader needs none, and they are read from connectors.
          requireInput(viewer);
          return widgets.options(row, widgetId, request, viewer);
        },
      ),

    async submit(row, widgetId, request, viewer) {
      const use = { row, widgetId, viewer };
      const work = async () => {
        requireInput(viewer);
        const { problems, ...outcome } = await widgets.submit(row, widgetId, request, viewer);
        const shown = publicProblems(problems, [widgetId]);
        const own = shown.length === 0 && problems.length > 0 ? [notChecked(widgetId)] : shown;
        return { ...outcome, problems: own };
      };
      const noteRefusal = (code: ErrorCode) => note(use, 'dashboard.submit', code);
      const done = await withPublicErrors(
        use,
        [widgetId],
        'This could not be saved right now',
        work,
        request.dryRun ? undefined : noteRefusal,
      );
      if (done.saved) await note(use, 'dashboard.submit', null);
      return done;
    },

    async act(row, widgetId, input, viewer) {
      const use = { row, widgetId, viewer };
      const work = async () => {
        requireInput(viewer);
        return widgets.act(row, widgetId, input, viewer);
      };
      // What was begun has been written down where it was done, however it ended.
      const noteRefusal = (code: ErrorCode) => note(use, 'dashboard.action', code);
      return withPublicErrors(use, ['input'], 'This action could not be carried out', work, noteRefusal);
    },
  };
}

/** Does `work`, whose errors become those that a stranger may read. `onRefusal` takes the code of a rule that forbade it. */
async function withPublicErrors<T>(
  { widgetId, viewer }: Use,
  ownPaths: readonly string[],
  failure: string,
  work: () => Promise<T>,
  onRefusal?: (code: ErrorCode) => Promise<void>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // Nobody is left to read it; whoever answers must see that it was this.
    if (viewer.signal.aborted) throw error;
    if (onRefusal !== undefined && error instanceof AppError && REFUSALS.includes(error.code))
      await onRefusal(error.code);
    throw publicError(error, { widgetId, inputRefusal: viewer.inputRefusal, ownPaths, failure });
  }
}

/** In place of problems that are all private: what has some must not look as if it had none. */
function notChecked(path: string): Problem {
  return { path, message: 'This cannot be checked right now' };
}

/** Exports for strangers: four at once, ten minutes each; more are `NOT_READY`. */
function createPublicExports(openExport: WidgetService['openExport']): WidgetService['openExport'] {
  const permits = new Semaphore(AT_ONCE_MAX, tooManyFiles);

  return async (row, widgetId, request, viewer) => {
    viewer.signal.throwIfAborted();
    const signal = AbortSignal.any([viewer.signal, AbortSignal.timeout(EXPORT_MS_MAX)]);
    const release = permits.acquire(signal);
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
