import type { CSSProperties, ReactNode } from 'react';
import type { PagePayload } from '../api/dashboard-payload.ts';
import { HeadingWidget } from '../widgets/heading-widget.tsx';
import { spansOf } from './spans.ts';
import { WidgetCard } from './widget-card.tsx';

/** A page's widgets on twelve columns, in the author's order. */
export function WidgetGrid({ page }: { readonly page: PagePayload }): ReactNode {
  const spans = spansOf(page.widgets);
  const firstHeading = page.widgets.findIndex((widget) => widget.type === 'heading');
  return (
    <div className="grid">
      {page.widgets.map((widget, index) => {
        const span = spans[index];
        const style = {
          '--wide': span?.wide,
          '--tablet': span?.tablet,
          '--phone': span?.phone,
        } as CSSProperties;
        return (
          <div key={widget.id} className="cell" style={style}>
            {widget.type === 'heading' ? (
              <HeadingWidget config={widget.config} title={widget.title} />
            ) : (
              <WidgetCard widget={widget} inSection={firstHeading >= 0 && firstHeading < index} />
            )}
          </div>
        );
      })}
    </div>
  );
}
