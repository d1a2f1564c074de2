import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Loaded } from '../../../frame/layout/loaded.tsx';
import { SearchFilter } from '../../../frame/records/search-field.tsx';
import type { RowView } from '../../../frame/row-view/row-view.ts';
import { useApi } from '../../../frame/state/api-context.ts';
import { EmptyState } from '../../../kit/empty-state.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import { RowTable } from './row-table.tsx';
import { SavedViews } from './saved-views.tsx';

const shownMax = 200;
const staleMs = 60_000;

interface BrowseSectionProps {
  readonly id: number;
  /** Of an integration platform: the account that calls use; null where it has none, or is no such platform. */
  readonly account: string | null;
  readonly resource: string | undefined;
  readonly rowView: RowView;
}

/** What a connector gives: its resources, and of the chosen or the only one columns and first rows. */
export function BrowseSection({ id, account, resource, rowView }: BrowseSectionProps): ReactNode {
  const api = useApi();
  const { connectors } = useTexts();
  const resources = useQuery({
    queryKey: ['connector', id, 'resources', account],
    queryFn: ({ signal }) =>
      api.POST('/api/connectors/{id}/introspect', {
        params: { path: { id } },
        body: account === null ? {} : { integrated_account_id: account },
        signal,
      }),
    staleTime: staleMs,
  });
  const found = resources.data?.resources ?? [];
  const shown = resource ?? (found.length === 1 ? found[0]?.name : undefined);
  return (
    <div className="browse">
      <section className="panel" aria-labelledby="browse-resources">
        <h2 id="browse-resources">{connectors.resources}</h2>
        <Loaded query={resources}>
          {({ resources: all = [], accounts }) =>
            accounts === undefined ? (
              <ResourceList id={id} resources={all} chosen={shown} />
            ) : (
              <AccountList accounts={accounts} />
            )
          }
        </Loaded>
        <SavedViews id={id} />
      </section>
      {(resources.data === undefined || found.length > 0) && (
        <section className="panel" aria-label={shown ?? connectors.rows}>
          {shown === undefined ? (
            <EmptyState>{connectors.chooseResource}</EmptyState>
          ) : (
            <>
              <h2>{shown}</h2>
              <RowTable key={shown} id={id} resource={shown} view={rowView} />
            </>
          )}
        </section>
      )}
    </div>
  );
}

interface AccountListProps {
  readonly accounts: readonly {
    readonly id: string;
    readonly label: string | null;
    readonly integration_name: string;
  }[];
}

/** Of a platform whose connector has no account of its own: those that it could have. */
function AccountList({ accounts }: AccountListProps): ReactNode {
  const { connectors } = useTexts();
  if (accounts.length === 0) return <EmptyState>{connectors.noAccounts}</EmptyState>;
  return (
    <>
      <p>{connectors.chooseAccount}</p>
      <ul className="resources">
        {accounts.map(({ id, label, integration_name: name }) => (
          <li key={id}>
            <code>{id}</code> <span className="record-id">{[name, label].filter(Boolean).join(' · ')}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

interface ResourceListProps {
  readonly id: number;
  readonly resources: readonly { readonly name: string; readonly type: string }[];
  readonly chosen: string | undefined;
}

function ResourceList({ id, resources, chosen }: ResourceListProps): ReactNode {
  const { connectors } = useTexts();
  const [q, setQ] = useState('');
  const wanted = q.trim().toLocaleLowerCase();
  const found = resources.filter(({ name }) => name.toLocaleLowerCase().includes(wanted));
  if (resources.length === 0) return <EmptyState>{connectors.noResources}</EmptyState>;
  return (
    <>
      <SearchFilter label={connectors.search} value={q} onChange={setQ} />
      <ul className="resources">
        {found.slice(0, shownMax).map(({ name, type }) => (
          <li key={name}>
            <Link
              to="/connectors/$id"
              params={{ id: String(id) }}
              search={{ view: 'browse', resource: name }}
              resetScroll={false}
              aria-current={name === chosen ? 'true' : undefined}
            >
              {name} <span className="record-id">{type}</span>
            </Link>
          </li>
        ))}
      </ul>
      {found.length > shownMax && (
        <p className="field-hint">{connectors.moreResources(found.length - shownMax)}</p>
      )}
      {found.length === 0 && <EmptyState>{connectors.noResource}</EmptyState>}
    </>
  );
}
