import type { Clock } from '../../base/clock.ts';
import { AppError, type ErrorCode } from '../../base/errors.ts';
import type { Db } from '../../store/store.ts';
import type { Answer, Call } from '../../threads/messages/calls.ts';
import type { DashboardDocuments } from './dashboard-documents.ts';
import type { KnownWidget } from './known-widget.ts';
import type { ConnectorRefs } from './widget-source.ts';
import type { WidgetViewer } from './widget-viewer.ts';

type WidgetCallMessage = Extract<
  Call,
  {
    readonly kind:
      | 'widget'
      | 'shared_query'
      | 'widget_rows'
      | 'widget_export'
      | 'prepare_action'
      | 'connector_call';
  }
>;

/** The worker host, as far as the uses of a widget need it. */
export interface UsePool {
  run<T extends WidgetCallMessage>(
    call: T,
    options: { readonly signal?: AbortSignal; readonly timeoutMs: number; readonly once?: boolean },
  ): Promise<Answer<T['kind']>>;
}

export interface UseLimits {
  /** Longest time of one page, or one question, in its thread. */
  readonly answerMsMax: number;
  /** Longest time of one piece of an export in its thread. */
  readonly exportPieceMsMax: number;
  /** Longest time of a whole export, however slowly its client reads. */
  readonly exportMsMax: number;
  readonly exportRowsMax: number;
  /** Exports of this control plane at once. */
  readonly exportsAtOnce: number;
  /** Longest time of the connector call of an action. */
  readonly callMsMax: number;
}

export const USE_LIMITS: UseLimits = {
  answerMsMax: 10_000,
  exportPieceMsMax: 30_000,
  exportMsMax: 1_800_000,
  exportRowsMax: 1_000_000,
  exportsAtOnce: 10,
  callMsMax: 30_000,
};

/** What reading a widget needs. */
export interface WidgetReadDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly pool: UsePool;
  readonly connectorRefs: ConnectorRefs;
  readonly documents: DashboardDocuments;
  readonly limits: UseLimits;
}

/** `VALIDATION_ERROR` where a widget's type has no such use. */
export function requireType({ id, type }: KnownWidget, types: readonly string[], use: string): void {
  if (types.includes(type)) return;
  const names = types.map((name) => `"${name}"`).join(' or ');
  throw new AppError(
    'VALIDATION_ERROR',
    `The widget "${id}" is of the type "${type}": only a widget of the type ${names} ${use}`,
  );
}

/** `FORBIDDEN`, with the reason, where the viewer may not submit or act. */
export function requireInput({ inputRefusal }: WidgetViewer): void {
  if (inputRefusal !== null) throw new AppError('FORBIDDEN', inputRefusal);
}

/** Codes whose messages speak of connectors, tables or expressions. */
const INNER: readonly ErrorCode[] = ['CONNECTOR_ERROR', 'UNPROCESSABLE'];

/** Does `work` for a viewer: what went wrong inside is told to members alone, strangers hear `publicMessage`. */
export async function toldTo<T>(
  { publicView }: WidgetViewer,
  publicMessage: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!publicView || !(error instanceof AppError) || !INNER.includes(error.code)) throw error;
    throw new AppError(error.code, publicMessage, { cause: error });
  }
}
