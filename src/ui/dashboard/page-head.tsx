import type { ReactNode } from 'react';
import type { CtaPayload, DashboardPayload } from '../api/dashboard-payload.ts';
import { Icon, isIconName } from '../kit/icon.tsx';
import { SafeLink } from '../kit/text/markdown.tsx';

/** The dashboard's title, description and calls to action. */
export function PageHead({ dashboard }: { readonly dashboard: DashboardPayload }): ReactNode {
  const ctas = dashboard.navbar_ctas ?? [];
  return (
    <header className="page-head">
      <div className="page-title">
        <h1>{dashboard.title ?? 'Dashboard'}</h1>
        {dashboard.description && <p>{dashboard.description}</p>}
      </div>
      {ctas.length > 0 && (
        <nav className="ctas" aria-label="Actions">
          {ctas.map((cta) => (
            <Cta key={`${cta.label} ${cta.href}`} cta={cta} />
          ))}
        </nav>
      )}
    </header>
  );
}

function Cta({ cta }: { readonly cta: CtaPayload }): ReactNode {
  return (
    <div className="cta">
      {cta.text && <span className="cta-text">{cta.text}</span>}
      <SafeLink href={cta.href} className={cta.variant === 'link' ? 'cta-link' : 'button'}>
        {isIconName(cta.icon) && <Icon name={cta.icon} />}
        {cta.label}
      </SafeLink>
    </div>
  );
}
