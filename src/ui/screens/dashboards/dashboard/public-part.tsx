import type { ReactNode } from 'react';
import { useTexts } from '../../../texts/texts-context.tsx';
import type { Dashboard } from '../dashboard-kind.ts';

interface Document {
  readonly allow_public_input: boolean;
  readonly pages: readonly {
    readonly id: string;
    readonly title: string;
    readonly public: boolean;
    readonly widgets: readonly Widget[];
  }[];
}

interface Widget {
  readonly id: string;
  readonly type: string;
  readonly title: string | null;
  readonly config: Readonly<Record<string, unknown>>;
}

/** What the link shows, page by page, and what it leaves out: known before anybody is given it. */
export function PublicPart({ dashboard }: { readonly dashboard: Dashboard }): ReactNode {
  const { dashboards } = useTexts();
  const document = dashboard.document as unknown as Document;
  return (
    <section className="panel" aria-labelledby="public-part">
      <h2 id="public-part">{dashboards.publicPart}</h2>
      <ul className="records">
        {document.pages.map(({ id, title, public: isPublic, widgets }) => {
          const hidden = widgets.filter(isLeftOut);
          return (
            <li key={id}>
              <span className="record-name">{title}</span>
              <span className="record-facts">
                {isPublic
                  ? dashboards.widgets(widgets.length - hidden.length)
                  : dashboards.leftOut(widgets.length)}
              </span>
              {isPublic && hidden.length > 0 && (
                <span className="record-facts">
                  {dashboards.hiddenActions} {hidden.map((widget) => widget.title ?? widget.id).join(', ')}
                </span>
              )}
            </li>
          );
        })}
      </ul>
      <p className="field-hint">
        {document.allow_public_input ? dashboards.takesInput : dashboards.takesNoInput}
      </p>
    </section>
  );
}

/** As the server leaves them out: actions that are not for everybody. */
function isLeftOut({ type, config }: Widget): boolean {
  return type === 'action' && config['allow_public'] !== true;
}
