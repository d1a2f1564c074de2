import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { renderSVG } from 'uqr';
import { ApiError } from '../../../../client/api-error.ts';
import { CopyButton } from '../../../frame/forms/copy-button.tsx';
import { Loaded } from '../../../frame/layout/loaded.tsx';
import { CodeText } from '../../../frame/records/code-text.tsx';
import { ConfirmDialog } from '../../../frame/records/confirm-dialog.tsx';
import { When } from '../../../frame/records/moments.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { isThisMachine } from '../../../frame/state/this-machine.ts';
import { Icon } from '../../../kit/icon.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import type { Dashboard } from '../dashboard-kind.ts';
import { PublicPart } from './public-part.tsx';
import { type ShareLink, ShareTerms } from './share-terms.tsx';

/** The link that shows a dashboard to people without an account: whom it lets in, how long, and what they see. */
export function ShareSection({ dashboard }: { readonly dashboard: Dashboard }): ReactNode {
  const api = useApi();
  const { dashboards } = useTexts();
  const { id } = dashboard;
  const query = useQuery({
    queryKey: ['dashboard', id, 'share'],
    queryFn: ({ signal }): Promise<ShareLink | null> =>
      api.GET('/api/dashboards/{id}/share', { params: { path: { id } }, signal }).catch(nullIfNone),
  });
  return (
    <div className="sections">
      <section className="panel stack" aria-labelledby="share-link">
        <h2 id="share-link">{dashboards.link}</h2>
        <Loaded query={query}>
          {(link) => (
            <>
              {link === null ? <NoLink dashboard={dashboard} /> : <Link id={id} link={link} />}
              <ShareTerms id={id} link={link} />
            </>
          )}
        </Loaded>
      </section>
      <PublicPart dashboard={dashboard} />
    </div>
  );
}

function nullIfNone(error: unknown): null {
  if (error instanceof ApiError && error.status === 404) return null;
  throw error;
}

/** Says of a link that has expired that there was one. */
function NoLink({ dashboard: { share_expires_at: expired } }: { readonly dashboard: Dashboard }): ReactNode {
  const { dashboards } = useTexts();
  return (
    <>
      {expired !== null && (
        <p>
          {dashboards.expiredLink} <When at={expired} />
        </p>
      )}
      <p>{dashboards.noLink}</p>
    </>
  );
}

function Link({ id, link }: { readonly id: number; readonly link: ShareLink }): ReactNode {
  const { dashboards } = useTexts();
  const [asked, setAsked] = useState<'rotate' | 'revoke' | null>(null);
  const address = new URL(link.public_url, location.origin).href;
  return (
    <>
      <code className="code-block">{address}</code>
      {isThisMachine(address) && (
        <p className="field-hint" role="note">
          {dashboards.localLink}
        </p>
      )}
      <p className="field-hint">
        {link.has_password ? dashboards.asksPassword : dashboards.asksNothing}{' '}
        {link.expires_at === null ? (
          dashboards.neverExpires
        ) : (
          <>
            {dashboards.expires} <When at={link.expires_at} />
          </>
        )}
      </p>
      {link.embed_origins.length > 0 && (
        <>
          <p className="field-hint">{dashboards.framed(link.embed_origins.join(', '))}</p>
          <CodeText label={dashboards.frameCode}>{frameOf(address)}</CodeText>
        </>
      )}
      <details className="share-qr">
        <summary>{dashboards.qr}</summary>
        <img
          className="qr"
          src={`data:image/svg+xml,${encodeURIComponent(renderSVG(address))}`}
          alt={dashboards.qrAlt}
          width={180}
          height={180}
        />
      </details>
      <div className="form-buttons">
        <CopyButton text={address} />
        <a className="button" data-style="secondary" href={address} target="_blank" rel="noopener">
          <Icon name="external" />
          {dashboards.open}
        </a>
        <button type="button" className="button" data-style="secondary" onClick={() => setAsked('rotate')}>
          {dashboards.rotate}
        </button>
        <button type="button" className="button" data-style="secondary" onClick={() => setAsked('revoke')}>
          {dashboards.revoke}
        </button>
      </div>
      {asked !== null && <LinkDialog id={id} verb={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

/** As a page of another site has it. */
function frameOf(address: string): string {
  return `<iframe src="${address}" width="100%" height="800" style="border: 0"></iframe>`;
}

interface LinkDialogProps {
  readonly id: number;
  readonly verb: 'rotate' | 'revoke';
  onClose(): void;
}

function LinkDialog({ id, verb, onClose }: LinkDialogProps): ReactNode {
  const api = useApi();
  const client = useQueryClient();
  const { frame, dashboards } = useTexts();
  const params = { path: { id } };
  const action = useMutation({
    mutationFn: async () => {
      if (verb === 'rotate') await api.POST('/api/dashboards/{id}/share/rotate', { params });
      else await api.DELETE('/api/dashboards/{id}/share', { params });
    },
    onSuccess() {
      void client.invalidateQueries({ queryKey: ['dashboard', id] });
      void client.invalidateQueries({ queryKey: ['dashboards'] });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={dashboards.linkTitles[verb]}
      confirm={dashboards[verb]}
      dismiss={frame.cancel}
      danger
      action={action}
      onClose={onClose}
    >
      <p className="dialog-question">{dashboards.linkHints[verb]}</p>
    </ConfirmDialog>
  );
}
