import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTexts } from '../../../texts/texts-context.tsx';
import type { Dashboard } from '../dashboard-kind.ts';
import { PushSection } from '../push-section.tsx';

/** The template that a dashboard was made from, and what has changed in either since. */
export function TemplateSection({ dashboard }: { readonly dashboard: Dashboard }): ReactNode {
  const { dashboards } = useTexts();
  const { id, dashboard_template_id: templateId, modified } = dashboard;
  if (templateId === null) return null;
  return (
    <div className="sections">
      <section className="panel" aria-labelledby="dashboard-template">
        <h2 id="dashboard-template">{dashboards.views.template}</h2>
        <p>
          <Link to="/dashboard-templates/$id" params={{ id: String(templateId) }} className="record-link">
            {dashboards.openTemplate}
          </Link>
        </p>
        <p className="field-hint">
          {modified === null
            ? dashboards.modifiedUnknown
            : modified
              ? dashboards.modified
              : dashboards.asTemplate}
        </p>
      </section>
      <PushSection templateId={templateId} dashboardId={id} />
    </div>
  );
}
