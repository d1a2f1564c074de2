import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { JsonView } from '../../../frame/records/json-view.tsx';
import { When } from '../../../frame/records/moments.tsx';
import { Pages, usePages } from '../../../frame/records/pages.tsx';
import { SearchFilter } from '../../../frame/records/search-field.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import { wordOf } from '../../../texts/word-of.ts';
import { AdminScreen } from '../admin-screen.tsx';
import { type AuditSearch, auditSearch } from '../admin-searches.ts';
import { ExportButton } from './export-button.tsx';

type Entry = components['schemas']['AuditLog'];
const route = getRouteApi('/signed-in/admin/audit');

/** Who changed what, newest first. */
export function AuditScreen(): ReactNode {
  const api = useApi();
  const { admin, runs } = useTexts();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = usePages(
    ['audit', search],
    (page, signal) =>
      api.GET('/api/audit-logs', {
        params: { query: { ...search, ...page } },
        signal,
      }),
    { keepsBefore: true },
  );
  const change = (next: Readonly<Record<string, unknown>>) =>
    void navigate({ search: auditSearch({ ...search, ...next }), replace: true, resetScroll: false });
  const { actor_id: actor } = search;
  return (
    <AdminScreen title={admin.audit.title} actions={<ExportButton search={search} />}>
      <section className="panel" aria-label={admin.audit.title}>
        <form className="filters" aria-label={runs.filters} onSubmit={(event) => event.preventDefault()}>
          <SearchFilter
            label={admin.audit.action}
            value={search.action ?? ''}
            onChange={(action) => change({ action })}
          />
          <SearchFilter
            label={admin.audit.resource}
            value={search.resource_type ?? ''}
            onChange={(resource_type) => change({ resource_type })}
          />
          <SearchFilter
            label={admin.audit.resourceId}
            value={search.resource_id ?? ''}
            onChange={(resource_id) => change({ resource_id })}
          />
          {actor !== undefined && (
            <button
              type="button"
              className="button"
              data-style="secondary"
              onClick={() => change({ actor_id: undefined })}
            >
              {admin.audit.everybody}
            </button>
          )}
        </form>
        <p className="field-hint">{admin.audit.filterHint}</p>
        <Pages
          query={query}
          empty={Object.keys(search).length > 0 ? admin.audit.noMatches : admin.audit.none}
        >
          {(entries) => (
            <ol className="versions">
              {entries.map((entry) => (
                <AuditEntry key={entry.id} entry={entry} onNarrow={change} />
              ))}
            </ol>
          )}
        </Pages>
      </section>
    </AdminScreen>
  );
}

interface AuditEntryProps {
  readonly entry: Entry;
  onNarrow(search: AuditSearch): void;
}

function AuditEntry({ entry, onNarrow }: AuditEntryProps): ReactNode {
  const { admin } = useTexts();
  const { action, resource_type, resource_id, actor_id, actor_name, at, outcome, address, diff } = entry;
  return (
    <li>
      <div>
        <button type="button" className="record-link record-button" onClick={() => onNarrow({ action })}>
          {action}
        </button>{' '}
        {resource_id !== null && (
          <button
            type="button"
            className="record-button"
            onClick={() => onNarrow({ resource_type, resource_id })}
          >
            {resource_type} {resource_id}
          </button>
        )}
        <p className="record-facts">
          <When at={at} /> ·{' '}
          {actor_id === null ? (
            actor_name
          ) : (
            <button
              type="button"
              className="record-button"
              title={admin.audit.onlyTheirs}
              onClick={() => onNarrow({ actor_id })}
            >
              {actor_name}
            </button>
          )}
          {address !== null && ` · ${address}`}
          {outcome !== 'success' && ` · ${wordOf(admin.audit.outcomes, outcome)}`}
        </p>
      </div>
      {diff !== null && (
        <details>
          <summary>{admin.audit.changes}</summary>
          <JsonView title={action} value={diff} />
        </details>
      )}
    </li>
  );
}
