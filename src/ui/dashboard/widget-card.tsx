import { useQuery } from '@tanstack/react-query';
import { Component, type ReactNode, useId } from 'react';
import { ApiError } from '../api/api-error.ts';
import type { WidgetPayload, WidgetResult } from '../api/dashboard-payload.ts';
import { Icon } from '../kit/icon.tsx';
import { pageLocale } from '../kit/page-locale.ts';
import { countOf, listIn, PayloadError, textOf } from '../kit/widget/widget-config.ts';
import type { WidgetWords } from '../texts/en/widgets/widgets.ts';
import { useWords } from '../texts/words-context.ts';
import { useWidget } from './use-widget.ts';
import { bodyQuery, hasBody } from './widget-registry.ts';

const tableRowsSeenMax = 25;
const tableRowsSeenDefault = 10;
const tableRowPx = 37;
const tableChromePx = 84;
const tableSearchPx = 44;

interface WidgetCardProps {
  readonly widget: WidgetPayload;
  /** Whether a heading widget precedes it: its title is then one level deeper. */
  readonly inSection: boolean;
}

/** A widget on its card: the title, and the content or an error. The height is reserved before the data arrives. */
export function WidgetCard({ widget, inSection }: WidgetCardProps): ReactNode {
  const words = useWords();
  if (hasBody(widget.type)) return <LiveCard widget={widget} inSection={inSection} />;
  return (
    <Card widget={widget} inSection={inSection}>
      <p className="card-body unavailable">{words.notHere}</p>
    </Card>
  );
}

function Card({
  widget,
  inSection,
  children,
}: WidgetCardProps & { readonly children: ReactNode }): ReactNode {
  const titleId = useId();
  const Title = inSection ? 'h3' : 'h2';
  const title = titleOf(widget);
  return (
    <article
      className="card"
      data-type={widget.type}
      aria-labelledby={title ? titleId : undefined}
      aria-label={title ? undefined : labelOf(widget)}
    >
      {(title || widget.description) && (
        <header className="card-head">
          {title && <Title id={titleId}>{title}</Title>}
          {widget.description && <p>{widget.description}</p>}
        </header>
      )}
      {children}
    </article>
  );
}

function titleOf({ type, title, config }: WidgetPayload): string {
  // An action shows its label on the button.
  return title ?? (type === 'action' ? '' : (textOf(config, 'label') ?? ''));
}

function labelOf(widget: WidgetPayload): string {
  return titleOf(widget) || (textOf(widget.config, 'label') ?? widget.type.replaceAll('_', ' '));
}

/** Loads the widget's data while it is on the page, and renders nothing while its own rule hides it. */
function LiveCard({ widget, inSection }: WidgetCardProps): ReactNode {
  const words = useWords();
  const query = useWidget(widget);
  const body = useQuery(bodyQuery(widget.type));
  if (isHidden(query.data)) return <span data-hidden-widget={widget.id} hidden />;
  const failed = query.failureReason !== null;
  const result = query.data;
  return (
    <Card widget={widget} inSection={inSection}>
      <div
        className="card-body"
        style={{ minHeight: reservedHeight(widget) }}
        aria-busy={query.isPending || query.isPlaceholderData}
        data-old={query.isPlaceholderData || undefined}
      >
        {result === undefined ? (
          query.isError ? (
            <Failure message={reasonOf(query.error, words)} />
          ) : (
            <Skeleton type={widget.type} waiting={failed} />
          )
        ) : result.error !== undefined ? (
          <Failure message={result.error || words.noAnswer} />
        ) : body.data?.Body ? (
          <WidgetBoundary
            resetKey={result}
            fallback={(error) => <Failure message={messageFor(error, words)} />}
          >
            <body.data.Body
              widgetId={widget.id}
              data={result.data}
              updatedAt={query.dataUpdatedAt}
              config={widget.config}
              title={labelOf(widget)}
              hasTitle={titleOf(widget) !== ''}
            />
          </WidgetBoundary>
        ) : body.isError ? (
          <Failure message={words.notLoaded} />
        ) : (
          <Skeleton type={widget.type} waiting={false} />
        )}
        {failed && result !== undefined && <StaleMark since={query.dataUpdatedAt} />}
      </div>
    </Card>
  );
}

interface WidgetBoundaryProps {
  /** A new value renders the widget again. */
  readonly resetKey: unknown;
  readonly children: ReactNode;
  fallback(error: Error): ReactNode;
}

interface WidgetBoundaryState {
  readonly error: Error | null;
  readonly resetKey: unknown;
}

/** Confines a rendering error to its widget. */
class WidgetBoundary extends Component<WidgetBoundaryProps, WidgetBoundaryState> {
  override state: WidgetBoundaryState = { error: null, resetKey: this.props.resetKey };

  static getDerivedStateFromError(error: unknown): Partial<WidgetBoundaryState> {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  static getDerivedStateFromProps(
    props: WidgetBoundaryProps,
    state: WidgetBoundaryState,
  ): Partial<WidgetBoundaryState> | null {
    return props.resetKey === state.resetKey ? null : { error: null, resetKey: props.resetKey };
  }

  override render(): ReactNode {
    return this.state.error === null ? this.props.children : this.props.fallback(this.state.error);
  }
}

/** Whether the server sent the mark of a widget whose `visible_if_expr` is false. */
function isHidden(result: WidgetResult | undefined): boolean {
  const data = result?.data;
  return typeof data === 'object' && data !== null && 'hidden' in data && data.hidden === true;
}

/** A table's height depends on how many rows it may have; the other types have theirs in the style sheet. */
function reservedHeight({ type, config }: WidgetPayload): number | undefined {
  if (type !== 'table' && type !== 'explorer') return undefined;
  const asked = countOf(config, type === 'table' ? 'limit' : 'page_size', tableRowsSeenDefault);
  const tools =
    type === 'table'
      ? config['searchable'] === true
      : config['search'] === true || listIn(config, 'filters').length > 0;
  return Math.min(asked, tableRowsSeenMax) * tableRowPx + tableChromePx + (tools ? tableSearchPx : 0);
}

function Failure({ message }: { readonly message: string }): ReactNode {
  const words = useWords();
  return (
    <div className="failure">
      <Icon name="alert" size={18} />
      <p>
        <span className="visually-hidden">{words.error}</span>
        {message}
      </p>
    </div>
  );
}

function Skeleton({ type, waiting }: { readonly type: string; readonly waiting: boolean }): ReactNode {
  const words = useWords();
  return (
    <div className="skeletons" data-type={type}>
      <span className="visually-hidden">{waiting ? words.waiting : words.loading}</span>
      <div className="skeleton" />
      <div className="skeleton" />
      <div className="skeleton" />
    </div>
  );
}

/** Why there are no data. */
function reasonOf(error: Error, words: WidgetWords): string {
  return error instanceof ApiError && error.status === 0 ? words.unreachable : error.message;
}

/** Messages about payloads are meant for readers; those of bugs are not. */
function messageFor(error: Error, words: WidgetWords): string {
  return error instanceof PayloadError ? words.wrongData(error.expected) : words.notShown;
}

function StaleMark({ since }: { readonly since: number }): ReactNode {
  const { stale } = useWords();
  const text = stale(new Intl.DateTimeFormat(pageLocale(), { timeStyle: 'medium' }).format(since));
  return (
    <p className="card-stale" title={text}>
      <Icon name="clock" size={14} />
      <span className="visually-hidden">{text}</span>
    </p>
  );
}
