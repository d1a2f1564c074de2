import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { FilterTexts } from '../../language/dashboard/filters/filter-values.ts';
import type { Db } from '../../store/store.ts';
import type { Answer, Call } from '../../threads/messages/calls.ts';
import type { Actor } from '../audit/audit.ts';
import type { DashboardRow } from '../dashboards/dashboard.ts';
import type { DashboardDocuments } from './dashboard-documents.ts';
import type { KnownWidget } from './known-widget.ts';
import type { ConnectorRefs } from './widget-source.ts';

/** Who looks at a widget, and what they may do. */
export interface WidgetViewer {
  /** A share link's view: private pages and actions are not there, and what went wrong inside is not told. */
  readonly publicView: boolean;
  /** Why they may not submit or act, for people; null where they may. */
  readonly inputRefusal: string | null;
  readonly actor: Actor;
  /** Aborts when the client has gone. */
  readonly signal: AbortSignal;
}

export interface RowsRequest {
  /** Default: the widget's own `page_size` or `limit`, else 50. At most 200. */
  readonly limit?: number | undefined;
  readonly cursor?: string | null | undefined;
  readonly sort?: string | null | undefined;
  readonly search?: string | null | undefined;
  readonly filters?: Readonly<Record<string, unknown>> | undefined;
  /** What the viewer chose of the dashboard's filters. Default: nothing but the defaults. */
  readonly filter?: FilterTexts | undefined;
}

export type ExportFormat = 'csv' | 'ndjson';

export interface ExportRequest extends Omit<RowsRequest, 'limit' | 'cursor'> {
  readonly format: ExportFormat;
}

/** A file that is made while it is sent. */
export interface ExportFile {
  readonly contentType: string;
  readonly fileName: string;
  readonly chunks: AsyncIterable<string>;
}

export interface OptionsRequest {
  readonly side?: string | undefined;
  readonly q?: string | undefined;
  readonly cursor?: string | undefined;
  readonly value?: unknown;
}

export interface SubmitRequest {
  readonly value: unknown;
  /** The `version` that the form was filled in from; `PRECONDITION_FAILED` where it is not the saved one any more. */
  readonly version?: number | undefined;
  /** Checks, and saves nothing. */
  readonly dryRun: boolean;
}

export interface SubmitOutcome {
  readonly saved: boolean;
  /** Of a dry run; where something is saved there are none. */
  readonly problems: readonly { readonly path: string; readonly message: string }[];
  /** Keys of the fields that their `hide_if_expr` hides for this value. */
  readonly hidden: readonly string[];
  /** As it is, or would be, saved. */
  readonly value: unknown;
  readonly version: number;
}

export interface ActionOutcome {
  /** `started`: a job run. `done`: the connector has answered. */
  readonly outcome: 'started' | 'done';
  readonly message: string | null;
  readonly job_run_id: number | null;
  /** What the connector gave; null for a run, and in the public view. */
  readonly result: unknown;
  /** RFC 3339; null where it may act again at once. */
  readonly cooldown_until: string | null;
}

/**
 * What a viewer does with one widget. The same for members and share links. A widget that is not there, or that the view leaves out,
 * is `NOT_FOUND`; a type that has no such use is a `VALIDATION_ERROR`; `FORBIDDEN` gives the viewer's `inputRefusal`.
 */
export interface WidgetService {
  /** A page of a table or an explorer, as JSON text. */
  rows(row: DashboardRow, widgetId: string, request: RowsRequest, viewer: WidgetViewer): Promise<string>;
  /** A table or an explorer as a file; the first piece is made before it resolves, so that an error still has a status. */
  openExport(
    row: DashboardRow,
    widgetId: string,
    request: ExportRequest,
    viewer: WidgetViewer,
  ): Promise<ExportFile>;
  /** A page of options of a form, a field mapping or an action's input, as JSON text. */
  options(
    row: DashboardRow,
    widgetId: string,
    request: OptionsRequest,
    viewer: WidgetViewer,
  ): Promise<string>;
  submit(
    row: DashboardRow,
    widgetId: string,
    request: SubmitRequest,
    viewer: WidgetViewer,
  ): Promise<SubmitOutcome>;
  act(row: DashboardRow, widgetId: string, input: unknown, viewer: WidgetViewer): Promise<ActionOutcome>;
}

type WidgetCall = Extract<
  Call,
  { readonly kind: 'widgets' | 'widget_rows' | 'widget_export' | 'prepare_action' | 'connector_call' }
>;

/** The worker host, as far as single widgets need it. */
export interface WidgetPool {
  run<T extends WidgetCall>(
    call: T,
    options: { readonly signal?: AbortSignal; readonly timeoutMs: number; readonly once?: boolean },
  ): Promise<Answer<T['kind']>>;
}

export interface WidgetLimits {
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

export const WIDGET_LIMITS: WidgetLimits = {
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
  readonly pool: WidgetPool;
  readonly connectorRefs: ConnectorRefs;
  readonly documents: DashboardDocuments;
  readonly limits: WidgetLimits;
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
