import { timestamp } from '../../../base/clock.ts';
import { Semaphore } from '../../../base/concurrency/semaphore.ts';
import { AppError } from '../../../base/errors.ts';
import type { Answer } from '../../../threads/messages/calls.ts';
import type { WidgetRowsInput } from '../../../threads/messages/widget-calls.ts';
import type { KnownWidget } from '../known-widget.ts';
import { ROW_TYPES, rowsInput, rowsPage } from '../widget-rows.ts';
import { type ExportFormat, requireType, type WidgetReadDeps, type WidgetService } from '../widget-viewer.ts';

const ROWS_PER_PIECE = 1_000;
/** A source that is read from its beginning for each piece is read less often. */
const ROWS_PER_PIECE_MAX = 10_000;
const ROWS_PER_PIECE_MIN = 100;
/** What a piece is meant to hold, however wide its rows are. */
const CHARS_PER_PIECE = 1_000_000;
const RETRY_SECONDS = 10;
/** What file systems take of a name in any script (255 bytes), with the date and the extension. */
const NAME_CHARS_MAX = 50;

const CONTENT_TYPE: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
};

type Piece = Answer<'widget_export'>;

/** Where a piece begins, and the columns of the file, both null for the first; and how many rows it is to have. */
interface Place {
  readonly cursor: string | null;
  readonly header: readonly string[] | null;
  readonly limit: number;
}

/**
 * Tables and explorers as files, made piece by piece while they are read. A file that cannot be whole ends in an error: more rows
 * than the limit, a source that fails, a client that is too slow. `NOT_READY` where too many are made at once.
 */
export function createWidgetExport(deps: WidgetReadDeps): WidgetService['openExport'] {
  const { limits } = deps;
  const permits = new Semaphore(limits.exportsAtOnce, tooManyExports);

  function pieceOf(
    { page, ...input }: WidgetRowsInput & { readonly format: ExportFormat },
    { cursor, header, limit }: Place,
    signal: AbortSignal,
  ): Promise<Piece> {
    const piece = { ...input, header, page: { ...page, cursor, limit } };
    const options = { signal, timeoutMs: limits.exportPieceMsMax };
    return deps.pool.run({ kind: 'widget_export', input: piece }, options);
  }

  async function* piecesOf(
    first: Piece,
    next: (place: Place) => Promise<Piece>,
    release: () => void,
  ): AsyncGenerator<string> {
    try {
      let rows = 0;
      for (let piece = first; ; ) {
        rows += piece.rows;
        if (rows > limits.exportRowsMax) throw tooManyRows(limits.exportRowsMax);
        if (piece.text !== '') yield piece.text;
        if (piece.next_cursor === null) return;
        piece = await next({ cursor: piece.next_cursor, header: first.columns, limit: rowsAfter(piece) });
      }
    } finally {
      release();
    }
  }

  return async (row, widgetId, { format, ...request }, viewer) => {
    const widget = deps.documents.widget(row, widgetId, viewer.publicView);
    requireType(widget, ROW_TYPES, 'has an export');
    requireExport(widget);
    viewer.signal.throwIfAborted();
    const signal = AbortSignal.any([viewer.signal, AbortSignal.timeout(limits.exportMsMax)]);
    const release = permits.acquire(signal);
    try {
      const input = await rowsInput(
        deps,
        row,
        widget,
        rowsPage(request, ROWS_PER_PIECE),
        viewer,
        request.filter,
      );
      const ask = (place: Place) =>
        orSmall(place, (fitting) => pieceOf({ ...input, format }, fitting, signal));
      const first = await ask({ cursor: null, header: null, limit: ROWS_PER_PIECE });
      return {
        contentType: CONTENT_TYPE[format],
        fileName: `${nameOf(widget)}-${timestamp(deps.clock.now()).slice(0, 10)}.${format}`,
        chunks: piecesOf(first, ask, release),
      };
    } catch (error) {
      release();
      throw error;
    }
  };
}

/** The widget's title as the name of a file, in any script; its id where it has none. */
function nameOf({ id, title }: KnownWidget): string {
  const words = (title ?? '').replace(/[^\p{L}\p{M}\p{N}]+/gu, '-').replace(/^-|-$/g, '');
  return [...words].slice(0, NAME_CHARS_MAX).join('') || id.replace(/[^\w-]/g, '-');
}

/** How many rows the next piece has, where its rows are as wide as those of the last one. */
function rowsAfter({ rows, text }: Piece): number {
  const fitting = Math.floor((rows * CHARS_PER_PIECE) / Math.max(1, text.length));
  return Math.max(ROWS_PER_PIECE_MIN, Math.min(fitting, ROWS_PER_PIECE_MAX));
}

/** Nobody knows how wide the next rows are: a piece that is too much for its thread is asked for as a small one. */
async function orSmall(place: Place, ask: (place: Place) => Promise<Piece>): Promise<Piece> {
  try {
    return await ask(place);
  } catch (error) {
    const isTooMuch = error instanceof AppError && error.code === 'UNPROCESSABLE';
    if (!isTooMuch || place.limit <= ROWS_PER_PIECE_MIN) throw error;
    return ask({ ...place, limit: ROWS_PER_PIECE_MIN });
  }
}

function requireExport({ id, config }: KnownWidget): void {
  if (config['export'] === true) return;
  throw new AppError('VALIDATION_ERROR', `The widget "${id}" has no export: its author sets "export: true"`);
}

function tooManyExports(open: number): AppError {
  const message = `The server makes ${open} exports already: try again later`;
  return new AppError('NOT_READY', message, { retryAfterSeconds: RETRY_SECONDS });
}

function tooManyRows(rowsMax: number): AppError {
  return new AppError(
    'UNPROCESSABLE',
    `The export has more than ${rowsMax.toLocaleString('en')} rows: filter it, so that a file is never cut`,
  );
}
