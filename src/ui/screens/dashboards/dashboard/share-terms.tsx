import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { FormProblem } from '../../../frame/forms/form-problem.tsx';
import { LinesField } from '../../../frame/forms/lines-field.tsx';
import { TextField } from '../../../frame/forms/text-field.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { useTexts } from '../../../texts/texts-context.tsx';

export type ShareLink = components['schemas']['ShareLinkDetail'];
type ShareBody = NonNullable<components['schemas']['ShareDashboardBody']>;

interface ShareTermsProps {
  readonly id: number;
  /** Null: it makes the first one. */
  readonly link: ShareLink | null;
}

const passwordCharsMin = 8;
const passwordCharsMax = 200;
const originRows = 3;

/**
 * Until when a link is valid, its password, which nobody can read back, and the sites that may show it in a frame. What was typed stays,
 * whoever changes the link meanwhile.
 */
export function ShareTerms({ id, link }: ShareTermsProps): ReactNode {
  const api = useApi();
  const client = useQueryClient();
  const { dashboards } = useTexts();
  const before = localTime(link?.expires_at ?? null);
  const [typedExpires, setExpires] = useState<string | null>(null);
  const expires = typedExpires ?? before;
  const [password, setPassword] = useState('');
  const [isOpen, setOpen] = useState(false);
  const framesBefore = (link?.embed_origins ?? []).join('\n');
  const [typedFrames, setFrames] = useState<string | null>(null);
  const frames = typedFrames ?? framesBefore;
  const save = useMutation({
    mutationFn: () => {
      const body: ShareBody = {
        ...(expires !== before && { expires_at: expires === '' ? null : new Date(expires).toISOString() }),
        ...(isOpen ? { password: null } : password !== '' && { password }),
        ...(frames !== framesBefore && { embed_origins: frames.split(/\s+/).filter(Boolean) }),
      };
      return api.POST('/api/dashboards/{id}/share', { params: { path: { id } }, body });
    },
    async onSuccess() {
      void client.invalidateQueries({ queryKey: ['dashboards'] });
      await client.invalidateQueries({ queryKey: ['dashboard', id] });
      setExpires(null);
      setPassword('');
      setOpen(false);
      setFrames(null);
    },
  });
  const isChanged = expires !== before || password !== '' || isOpen || frames !== framesBefore;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form className="stack" onSubmit={submit}>
      <div className="config-fields">
        <TextField
          label={dashboards.expiry}
          hint={dashboards.expiryHint}
          type="datetime-local"
          value={expires}
          onChange={setExpires}
        />
        <TextField
          label={dashboards.password}
          hint={link?.has_password ? dashboards.newPasswordHint : dashboards.passwordHint}
          type="password"
          autoComplete="new-password"
          minLength={passwordCharsMin}
          maxLength={passwordCharsMax}
          value={password}
          onChange={setPassword}
        />
      </div>
      {link?.has_password && (
        <label className="check-line">
          <input type="checkbox" checked={isOpen} onChange={({ target }) => setOpen(target.checked)} />
          {dashboards.removePassword}
        </label>
      )}
      <LinesField
        label={dashboards.frames}
        hint={dashboards.framesHint}
        rows={originRows}
        value={frames}
        onChange={setFrames}
      />
      <FormProblem error={save.error} />
      <div className="form-buttons">
        <button type="submit" className="button" disabled={save.isPending || (link !== null && !isChanged)}>
          {link === null ? dashboards.share : dashboards.saveTerms}
        </button>
      </div>
    </form>
  );
}

/** As a field of local date and time has it. */
function localTime(at: string | null): string {
  if (at === null) return '';
  const date = new Date(at);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length);
}
