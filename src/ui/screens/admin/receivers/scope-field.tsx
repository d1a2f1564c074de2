import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import type { Client } from '../../../../client/create-client.ts';
import { useApi } from '../../../frame/state/api-context.ts';
import { OptionsCombobox } from '../../../kit/combobox/options-combobox.tsx';
import type { OptionSource } from '../../../kit/combobox/use-options.ts';

const pageSize = 50;
const namesMax = 50;
const nameStaleMs = 60_000;

type Kind = 'jobs' | 'job-templates';

interface ScopeFieldProps {
  readonly kind: Kind;
  readonly label: string;
  readonly hint?: string;
  /** Ids; none: all. */
  readonly value: readonly number[];
  onChange(ids: number[]): void;
}

/** Some jobs or job templates, chosen by name. */
export function ScopeField({ kind, label, hint, value, onChange }: ScopeFieldProps): ReactNode {
  const api = useApi();
  const id = useId();
  const ids = value.slice(0, namesMax);
  // `useQueries` would weigh more than everything else here, also on the share page, which has the same library.
  const { data: known = [] } = useQuery({
    queryKey: [kind, 'names', ids],
    staleTime: nameStaleMs,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const read = await Promise.allSettled(ids.map((one) => readName(api, kind, one, signal)));
      return read.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    },
  });
  return (
    <div className="field">
      <div className="field-label">
        <label htmlFor={id}>{label}</label>
      </div>
      <OptionsCombobox
        id={id}
        label={label}
        source={{ ...sourceOf(api, kind), known }}
        multiple
        required={false}
        value={value.map(String)}
        describedBy={hint === undefined ? undefined : `${id}-hint`}
        onChange={(chosen) => onChange(chosen.map(Number))}
      />
      {hint !== undefined && (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      )}
    </div>
  );
}

function sourceOf(api: Client, kind: Kind): Extract<OptionSource, { kind: 'server' }> {
  return {
    kind: 'server',
    key: kind,
    searchInPage: false,
    async load(page, signal) {
      const query = { ...page, limit: pageSize, sort: 'name' as const, fields: 'id,name' };
      const init = { params: { query }, signal };
      const { result, next_cursor } =
        kind === 'jobs' ? await api.GET('/api/jobs', init) : await api.GET('/api/job-templates', init);
      return { options: result.map(optionOf), next_cursor };
    },
  };
}

async function readName(api: Client, kind: Kind, id: number, signal: AbortSignal) {
  const init = { params: { path: { id }, query: { fields: 'id,name' } }, signal };
  return optionOf(
    kind === 'jobs' ? await api.GET('/api/jobs/{id}', init) : await api.GET('/api/job-templates/{id}', init),
  );
}

function optionOf({ id = 0, name = '' }: { readonly id?: number; readonly name?: string }) {
  return { value: String(id), label: name };
}
