import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { FormProblem } from '../../../frame/forms/form-problem.tsx';
import { Loaded } from '../../../frame/layout/loaded.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import { AdminScreen } from '../admin-screen.tsx';
import { SettingField } from './setting-field.tsx';
import type { Settings } from './settings.ts';

/** What can be changed while the servers run. */
export function SettingsScreen(): ReactNode {
  const api = useApi();
  const { admin } = useTexts();
  const query = useQuery({
    queryKey: ['server-config'],
    queryFn: ({ signal }) => api.GET('/api/server/config', { signal }),
  });
  return (
    <AdminScreen title={admin.settings.title}>
      <Loaded query={query}>{({ settings }) => <SettingsForm settings={settings} />}</Loaded>
    </AdminScreen>
  );
}

/** What was typed stays, whoever saves meanwhile: only what was changed here is sent. */
function SettingsForm({ settings }: { readonly settings: Settings }): ReactNode {
  const api = useApi();
  const client = useQueryClient();
  const { admin, editor } = useTexts();
  const [changes, setChanges] = useState<Readonly<Record<string, unknown>>>({});
  const save = useMutation({
    mutationFn: () => api.PUT('/api/server/config', { body: { settings: { ...changes } } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['server-config'] });
      setChanges({});
    },
  });
  const change = (key: string, value: unknown) => setChanges((before) => ({ ...before, [key]: value }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form className="panel stack" onSubmit={submit}>
      <p className="field-hint">{admin.settings.hint}</p>
      {Object.entries(settings).map(([key, setting]) => (
        <SettingField
          key={key}
          name={key}
          setting={setting}
          value={Object.hasOwn(changes, key) ? changes[key] : setting.value}
          onChange={(value) => change(key, value)}
        />
      ))}
      <FormProblem error={save.error} />
      <div className="form-buttons">
        <button
          type="submit"
          className="button"
          disabled={save.isPending || Object.keys(changes).length === 0}
        >
          {editor.save}
        </button>
      </div>
    </form>
  );
}
