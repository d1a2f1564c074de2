import { AppError, type ErrorCode, notFound, type Problem, validationError } from '../../base/errors.ts';
import { RULE_FAILED } from '../../language/template/settle-fields.ts';

/** The use of a widget that failed. */
export interface PublicErrorContext {
  readonly widgetId: string;
  /** As in `WidgetViewer`. */
  readonly inputRefusal: string | null;
  /** Paths of the sender's own values in problems: these and everything below them. */
  readonly ownPaths: readonly string[];
  /** For what failed inside. */
  readonly failure: string;
}

/** Where the data of a widget cannot be read: the reasons speak of connectors, tables and expressions. */
export const NO_DATA = 'The data of this widget is not available right now';

/** What a stranger reads besides; the codes that are not here become `CONNECTOR_ERROR`. */
const WORDS: Readonly<Partial<Record<ErrorCode, string>>> = {
  CONFLICT: 'This cannot be done right now: try again later',
  PRECONDITION_FAILED: 'Somebody has changed this meanwhile: load it again',
  PAYLOAD_TOO_LARGE: 'This is too large',
  RATE_LIMITED: 'This was done too often, or a moment ago: try again later',
  NOT_READY: 'The server is busy: try again later',
  INTERNAL_ERROR: 'Something failed on the server; the request id helps to find it',
};
const NOT_TAKEN =
  'This widget does not take that: ask only for what it offers, and start with the first page';

/**
 * An error of a widget as a stranger may read it. Nothing of connectors, tables, tasks, configuration or expressions passes: but
 * for the problems of the sender's own values, every text is one of the public view. The error itself is the `cause`.
 */
export function publicError(error: unknown, context: PublicErrorContext): AppError {
  if (!(error instanceof AppError)) return inWords('INTERNAL_ERROR', error, context);
  switch (error.code) {
    case 'NOT_FOUND':
      // Anything else that is missing is missing inside.
      if (error.message === notFound('widget', context.widgetId).message) return error;
      return inWords('CONNECTOR_ERROR', error, context);
    case 'FORBIDDEN':
      return new AppError('FORBIDDEN', context.inputRefusal ?? 'This is not possible through a share link');
    case 'VALIDATION_ERROR':
      return ownProblems(error, context);
    default:
      return inWords(error.code, error, context);
  }
}

function inWords(code: ErrorCode, cause: unknown, { failure }: PublicErrorContext): AppError {
  const words = WORDS[code];
  const seconds = cause instanceof AppError ? cause.retryAfterSeconds : undefined;
  return new AppError(words === undefined ? 'CONNECTOR_ERROR' : code, words ?? failure, {
    cause,
    ...(seconds !== undefined && { retryAfterSeconds: seconds }),
  });
}

function ownProblems({ details = [] }: AppError, { ownPaths }: PublicErrorContext): AppError {
  const own = publicProblems(details, ownPaths);
  return own.length === 0 ? new AppError('VALIDATION_ERROR', NOT_TAKEN) : validationError(own);
}

/** The problems at and below `ownPaths`, without the rules that found them. */
export function publicProblems(problems: readonly Problem[], ownPaths: readonly string[]): Problem[] {
  return problems
    .filter(({ path }) => ownPaths.some((own) => isWithin(path, own)))
    .map(({ path, message }) => ({ path, message: publicMessage(message) }));
}

function isWithin(path: string, own: string): boolean {
  return path.startsWith(own) && ['', '.', '['].includes(path.charAt(own.length));
}

/** An expression that fails says how it is written, and a form that is no map what its configuration is called. */
function publicMessage(message: string): string {
  if (message.startsWith(RULE_FAILED)) return 'This cannot be checked right now';
  return message.replace(/^".*" must be a map, not/, 'This must be a map, not');
}
