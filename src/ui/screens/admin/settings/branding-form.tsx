import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { problemsAt } from '../../../frame/forms/field-problems.ts';
import { FormProblem } from '../../../frame/forms/form-problem.tsx';
import { TextField } from '../../../frame/forms/text-field.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { brandingQuery } from '../../../frame/state/branding-query.ts';
import { useTexts } from '../../../texts/texts-context.tsx';

type Branding = components['schemas']['Branding'];
const links = ['logo_url', 'favicon_url', 'primary_color', 'support_url'] as const;

/** The name, logo and color of the installation, on every page. What was typed stays, whoever saves meanwhile. */
export function BrandingForm({ branding }: { readonly branding: Branding }): ReactNode {
  const api = useApi();
  const client = useQueryClient();
  const { admin, editor } = useTexts();
  const [changes, setChanges] = useState<Partial<Branding>>({});
  const value = { ...branding, ...changes };
  const save = useMutation({
    mutationFn: () => api.PUT('/api/branding', { body: value }),
    async onSuccess() {
      void client.invalidateQueries(brandingQuery(api));
      await client.invalidateQueries({ queryKey: ['branding-form'] });
      setChanges({});
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form className="stack" onSubmit={submit}>
      <div className="config-fields">
        <TextField
          label={admin.about.productName}
          required
          maxLength={60}
          value={value.product_name}
          onChange={(product_name) => setChanges({ ...changes, product_name })}
        />
        {links.map((key) => (
          <TextField
            key={key}
            label={admin.about.fields[key]}
            problems={problemsAt(save.error, key)}
            value={value[key] ?? ''}
            onChange={(text) => setChanges({ ...changes, [key]: text === '' ? null : text })}
          />
        ))}
      </div>
      <FormProblem error={save.error} fields={links} />
      <div className="form-buttons">
        <button type="submit" className="button" disabled={save.isPending}>
          {editor.save}
        </button>
      </div>
    </form>
  );
}
