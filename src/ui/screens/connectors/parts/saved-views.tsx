import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { FormProblem } from '../../../frame/forms/form-problem.tsx';
import { SelectField } from '../../../frame/forms/select-field.tsx';
import { nameCharsMax, TextField } from '../../../frame/forms/text-field.tsx';
import { Loaded } from '../../../frame/layout/loaded.tsx';
import { type RowView, requestOf, viewOfPreset } from '../../../frame/row-view/row-view.ts';
import { useMay } from '../../../frame/session/role.ts';
import { useApi } from '../../../frame/state/api-context.ts';
import { useTexts } from '../../../texts/texts-context.tsx';

type Preset = components['schemas']['ExplorerPreset'];
const shownMax = 200;

/** The views of a connector's resources that the team or the user has saved. */
export function SavedViews({ id }: { readonly id: number }): ReactNode {
  const api = useApi();
  const client = useQueryClient();
  const { connectors } = useTexts();
  const queryKey = ['explorer-presets', id];
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      api.GET('/api/explorer-presets', {
        params: { query: { connector_id: id, sort: 'name', limit: shownMax } },
        signal,
      }),
    select: ({ result }) => result,
  });
  const remove = useMutation({
    mutationFn: ({ id: preset, version }: Preset) =>
      api.DELETE('/api/explorer-presets/{id}', {
        params: { path: { id: preset }, header: { 'If-Match': `"${version}"` } },
      }),
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
  const mayTeam = useMay('editor');
  return (
    <Loaded query={query} lines={1}>
      {(presets) =>
        presets.length > 0 && (
          <>
            <h3>{connectors.rowView.saved}</h3>
            <ul className="saved-views" aria-label={connectors.rowView.saved}>
              {presets.map((preset) => (
                <li key={preset.id}>
                  <PresetLink id={id} preset={preset} />
                  {(preset.visibility === 'private' || mayTeam) && (
                    <button
                      type="button"
                      className="text-button"
                      disabled={remove.isPending}
                      aria-label={`${connectors.remove}: ${preset.name}`}
                      onClick={() => remove.mutate(preset)}
                    >
                      {connectors.remove}
                    </button>
                  )}
                </li>
              ))}
            </ul>
            <FormProblem error={remove.error} />
          </>
        )
      }
    </Loaded>
  );
}

function PresetLink({ id, preset }: { readonly id: number; readonly preset: Preset }): ReactNode {
  const { rowView } = useTexts().connectors;
  const view = viewOfPreset(preset);
  const { name, resource, visibility } = preset;
  const facts = `${resource} · ${rowView.visibilities[visibility]}`;
  if (view === null)
    return (
      <span title={rowView.beyond}>
        {name} <span className="record-id">{facts}</span>
      </span>
    );
  return (
    <Link
      to="/connectors/$id"
      params={{ id: String(id) }}
      search={{ view: 'browse', resource, ...view }}
      resetScroll={false}
    >
      {name} <span className="record-id">{facts}</span>
    </Link>
  );
}

interface SaveViewProps {
  readonly id: number;
  readonly resource: string;
  readonly view: RowView;
  readonly columns: Parameters<typeof requestOf>[1];
}

/** Keeps what is looked at under a name, for oneself or for the team. */
export function SaveView({ id, resource, view, columns }: SaveViewProps): ReactNode {
  const api = useApi();
  const client = useQueryClient();
  const { editor, connectors } = useTexts();
  const { rowView } = connectors;
  const mayTeam = useMay('editor');
  const [name, setName] = useState('');
  const [visibility, setVisibility] = useState<Preset['visibility']>('private');
  const save = useMutation({
    mutationFn: () =>
      api.POST('/api/explorer-presets', {
        body: { name, connector_id: id, resource, visibility, ...requestOf(view, columns) },
      }),
    onSuccess() {
      setName('');
      return client.invalidateQueries({ queryKey: ['explorer-presets', id] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  const choices = mayTeam ? (['private', 'team'] as const) : (['private'] as const);
  return (
    <details className="view-bar">
      <summary>{rowView.save}</summary>
      <form className="config-fields" aria-label={rowView.save} onSubmit={submit}>
        <TextField label={editor.name} required maxLength={nameCharsMax} value={name} onChange={setName} />
        <SelectField<Preset['visibility']>
          label={rowView.visibility}
          options={choices.map((one) => [one, rowView.visibilities[one]] as const)}
          value={visibility}
          onChange={setVisibility}
        />
        <div className="form-buttons">
          <button type="submit" className="button" data-style="secondary" disabled={save.isPending}>
            {editor.save}
          </button>
        </div>
        <FormProblem error={save.error} />
      </form>
    </details>
  );
}
