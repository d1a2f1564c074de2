import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { ListHead } from '../../../frame/records/list-head.tsx';
import { When } from '../../../frame/records/moments.tsx';
import { Pages, usePages } from '../../../frame/records/pages.tsx';
import { SearchFilter } from '../../../frame/records/search-field.tsx';
import { useMay } from '../../../frame/session/role.ts';
import { useApi } from '../../../frame/state/api-context.ts';
import { formatValue } from '../../../kit/format-value.ts';
import { Icon } from '../../../kit/icon.tsx';
import { useCatalogue, useTexts } from '../../../texts/texts-context.tsx';
import { AdminScreen } from '../admin-screen.tsx';
import { ReferenceDialog } from './reference-dialog.tsx';

type ReferenceHead = components['schemas']['AiReferenceHead'];

const route = getRouteApi('/signed-in/admin/ai-references');

/** The texts that the model is given, and which model that is. */
export function ReferencesScreen(): ReactNode {
  const api = useApi();
  const { references, runs } = useTexts();
  const mayWrite = useMay('editor');
  const { q } = route.useSearch();
  const navigate = route.useNavigate();
  const [chosen, setChosen] = useState<number | 'new' | null>(null);
  const query = usePages(
    ['ai-references', 'list', q],
    (page, signal) => {
      const params = { query: { sort: 'name' as const, ...(q !== undefined && { q }), ...page } };
      return api.GET('/api/ai/references', { params, signal });
    },
    { isLive: false, keepsBefore: true },
  );
  return (
    <AdminScreen
      title={references.title}
      {...(mayWrite && {
        actions: (
          <button type="button" className="button" onClick={() => setChosen('new')}>
            <Icon name="plus" />
            {references.new}
          </button>
        ),
      })}
    >
      <form className="filters" aria-label={runs.filters} onSubmit={(event) => event.preventDefault()}>
        <SearchFilter
          label={references.search}
          value={q ?? ''}
          onChange={(text) => void navigate({ search: text === '' ? {} : { q: text }, replace: true })}
        />
      </form>
      <section className="panel" aria-label={references.title}>
        <p className="field-hint">{references.hint}</p>
        <ModelLine />
        <Pages query={query} empty={q === undefined ? references.none : references.noMatches}>
          {(found) => <ReferenceTable found={found} onChoose={setChosen} />}
        </Pages>
      </section>
      {chosen !== null && (
        <ReferenceDialog id={chosen === 'new' ? null : chosen} onClose={() => setChosen(null)} />
      )}
    </AdminScreen>
  );
}

/** Which model writes tasks, or what is missing. */
function ModelLine(): ReactNode {
  const api = useApi();
  const { references } = useTexts();
  const { data } = useQuery({
    queryKey: ['ai-status'],
    queryFn: ({ signal }) => api.GET('/api/ai/status', { signal }),
  });
  if (data === undefined) return null;
  const { configured, model, provider, base_url_host: host } = data;
  return (
    <p className="field-hint">{configured ? references.model(model, provider, host) : references.noModel}</p>
  );
}

interface ReferenceTableProps {
  readonly found: readonly ReferenceHead[];
  onChoose(id: number): void;
}

function ReferenceTable({ found, onChoose }: ReferenceTableProps): ReactNode {
  const { locale, texts } = useCatalogue();
  const { references, jobs } = texts;
  return (
    <table className="list run-list">
      <ListHead
        columns={[
          { label: jobs.name },
          { label: references.use },
          { label: references.tags, isWide: true },
          { label: references.length, isWide: true, isFigure: true },
          { label: references.changed, isWide: true },
        ]}
      />
      <tbody>
        {found.map((one) => (
          <tr key={one.id}>
            <td>
              <button type="button" className="record-link record-button" onClick={() => onChoose(one.id)}>
                {one.name}
              </button>
              {one.description !== null && <p className="record-facts">{one.description}</p>}
            </td>
            <td>{one.enabled ? references.given : references.onRequest}</td>
            <td className="wide-only">{one.tags.join(', ')}</td>
            <td className="wide-only" data-align="right">
              {formatValue(one.content_chars, 'integer', { locale })}
            </td>
            <td className="wide-only">
              <When at={one.updated_at} />
              {one.updated_by !== null && <p className="record-facts">{one.updated_by}</p>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
