import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loaded } from '../../../frame/layout/loaded.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { formatValue } from '../../../kit/format-value.ts';
import { useCatalogue } from '../../../texts/texts-context.tsx';
import { AdminScreen } from '../admin-screen.tsx';
import { FactRow } from '../fact-row.tsx';
import { BrandingForm } from './branding-form.tsx';

/** The server's version, its store and limits, and how it presents itself. */
export function AboutScreen(): ReactNode {
  const api = useApi();
  const { locale, texts } = useCatalogue();
  const { about } = texts.admin;
  const info = useQuery({
    queryKey: ['server-info'],
    queryFn: ({ signal }) => api.GET('/api/server/info', { signal }),
  });
  const branding = useQuery({
    queryKey: ['branding-form'],
    queryFn: ({ signal }) => api.GET('/api/branding', { signal }),
  });
  const number = (value: number) => formatValue(value, 'number', { locale });
  return (
    <AdminScreen title={about.title}>
      <div className="sections">
        <section className="panel" aria-labelledby="about-server">
          <h2 id="about-server">{about.server}</h2>
          <Loaded query={info}>
            {({ version, store, workers, limits, grpc }) => (
              <table className="list">
                <tbody>
                  <FactRow label={about.version}>{version}</FactRow>
                  <FactRow label={about.store}>{store}</FactRow>
                  <FactRow label={about.grpc}>{grpc.address}</FactRow>
                  <FactRow label={about.workers}>
                    {about.workersNow(workers.threads, workers.running, workers.queued, workers.restarts)}
                  </FactRow>
                  <FactRow label={about.bodyBytes}>
                    {formatValue(limits.body_bytes, 'bytes', { locale })}
                  </FactRow>
                  <FactRow label={about.requests}>{number(limits.requests_per_minute)}</FactRow>
                </tbody>
              </table>
            )}
          </Loaded>
          <p>
            <a href="/api/docs">{about.api}</a>
          </p>
        </section>
        <section className="panel" aria-labelledby="about-branding">
          <h2 id="about-branding">{about.branding}</h2>
          <Loaded query={branding}>{(known) => <BrandingForm branding={known} />}</Loaded>
        </section>
      </div>
    </AdminScreen>
  );
}
