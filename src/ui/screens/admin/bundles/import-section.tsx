import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { ApiError } from '../../../../client/api-error.ts';
import { ScriptSection } from '../../../frame/forms/script-section.tsx';
import { SelectField } from '../../../frame/forms/select-field.tsx';
import { useMay } from '../../../frame/session/role.ts';
import { useApi } from '../../../frame/state/api-context.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import { type BundleText, readBundle } from './bundle-file.ts';
import { type ImportPlan, PlanView } from './plan-view.tsx';
import { WhereProblem } from './where-problem.tsx';

/** A longer bundle is no line for a shell. */
const scriptCharsMax = 50_000;
const conflicts = ['update', 'skip', 'rename', 'fail'] as const;
const missing = ['stub', 'fail'] as const;

interface Wanted {
  readonly text: BundleText;
  readonly conflict: (typeof conflicts)[number];
  readonly connectorMissing: (typeof missing)[number];
}

/** A bundle as a plan with its differences, which is then applied exactly. */
export function ImportSection(): ReactNode {
  const id = useId();
  const { bundles } = useTexts();
  const [text, setText] = useState<BundleText | 'unreadable' | null>(null);
  const [conflict, setConflict] = useState<Wanted['conflict']>('update');
  const [connectorMissing, setConnectorMissing] = useState<Wanted['connectorMissing']>('stub');
  const [name, setName] = useState('');
  const { plan, apply } = useImport();
  const look = (next: Partial<Wanted>) => {
    const wanted = {
      conflict,
      connectorMissing,
      ...(text !== null && text !== 'unreadable' && { text }),
      ...next,
    };
    apply.reset();
    if (wanted.text !== undefined) plan.mutate({ ...wanted, text: wanted.text });
  };
  return (
    <section className="panel stack" aria-labelledby="bundle-import">
      <h2 id="bundle-import">{bundles.import.title}</h2>
      <div className="field">
        <div className="field-label">
          <label htmlFor={id}>{bundles.import.file}</label>
        </div>
        <input
          id={id}
          type="file"
          className="field-box"
          accept=".yaml,.yml,.zip"
          onChange={async ({ target }) => {
            const [file] = target.files ?? [];
            if (file === undefined) return;
            const read = await readBundle(file);
            setName(file.name);
            setText(read ?? 'unreadable');
            if (read === null) plan.reset();
            else look({ text: read });
          }}
        />
      </div>
      <SelectField<Wanted['conflict']>
        label={bundles.import.conflict}
        options={conflicts.map((one) => [one, bundles.import.conflicts[one]])}
        value={conflict}
        onChange={(chosen) => {
          setConflict(chosen);
          look({ conflict: chosen });
        }}
      />
      <SelectField<Wanted['connectorMissing']>
        label={bundles.import.connectorMissing}
        options={missing.map((one) => [one, bundles.import.connectorsMissing[one]])}
        value={connectorMissing}
        onChange={(chosen) => {
          setConnectorMissing(chosen);
          look({ connectorMissing: chosen });
        }}
      />
      {text !== null && text !== 'unreadable' && (
        <ImportScript name={name} wanted={{ text, conflict, connectorMissing }} />
      )}
      {text === 'unreadable' && (
        <p role="alert" className="form-problem">
          {bundles.import.notText}
        </p>
      )}
      {plan.isPending && <p role="status">{bundles.import.planning}</p>}
      <WhereProblem error={plan.error ?? apply.error} />
      {plan.data !== undefined && !plan.isPending && text !== null && text !== 'unreadable' && (
        <Outcome
          plan={plan.data}
          applied={apply.data ?? null}
          isApplying={apply.isPending}
          onApply={() =>
            apply.mutate(
              { text, conflict, connectorMissing, planHash: plan.data.plan_hash },
              { onError: (error) => isOutdated(error) && plan.mutate({ text, conflict, connectorMissing }) },
            )
          }
        />
      )}
    </section>
  );
}

function ImportScript({ name, wanted }: { readonly name: string; readonly wanted: Wanted }): ReactNode {
  const { text, conflict, connectorMissing } = wanted;
  if (!('bundle' in text) || text.bundle.length > scriptCharsMax) return null;
  const policies = ['--conflict', conflict, '--connector-missing', connectorMissing];
  return (
    <ScriptSection
      calls={[
        {
          method: 'POST',
          path: '/api/import',
          body: bodyOf(wanted),
          command: ['apply', name, ...policies, '--yes'],
        },
      ]}
    />
  );
}

function bodyOf({ text, conflict, connectorMissing }: Wanted) {
  return { ...text, conflict, connector_missing: connectorMissing };
}

function isOutdated(error: Error): boolean {
  return error instanceof ApiError && error.status === 409;
}

function useImport() {
  const api = useApi();
  const client = useQueryClient();
  const plan = useMutation({
    mutationFn: (wanted: Wanted) =>
      api.POST('/api/import', { params: { query: { dry_run: true } }, body: bodyOf(wanted) }),
  });
  const apply = useMutation({
    mutationFn: ({ planHash, ...wanted }: Wanted & { readonly planHash: string }) =>
      api.POST('/api/import', { body: { ...bodyOf(wanted), plan_hash: planHash } }),
    onSuccess: () => client.invalidateQueries(),
  });
  return { plan, apply };
}

interface OutcomeProps {
  readonly plan: ImportPlan;
  readonly applied: ImportPlan | null;
  readonly isApplying: boolean;
  onApply(): void;
}

function Outcome({ plan, applied, isApplying, onApply }: OutcomeProps): ReactNode {
  const { bundles } = useTexts();
  const isAdmin = useMay('admin');
  const { create, update } = plan.summary;
  if (applied !== null)
    return (
      <div role="status" className="stack">
        <p>
          <strong>{bundles.import.applied(applied.summary.create, applied.summary.update)}</strong>
        </p>
        <p className="field-hint">{bundles.import.pins}</p>
      </div>
    );
  const needsAdmin = plan.required_role === 'admin';
  const word = !plan.applicable
    ? bundles.import.blocked
    : create + update === 0
      ? bundles.import.nothing
      : needsAdmin
        ? bundles.import.admin
        : null;
  return (
    <>
      <PlanView plan={plan} />
      {word !== null && <p role="status">{word}</p>}
      {plan.applicable && create + update > 0 && (
        <div className="dialog-buttons">
          <button
            type="button"
            className="button"
            disabled={isApplying || (needsAdmin && !isAdmin)}
            onClick={onApply}
          >
            {bundles.import.apply}
          </button>
        </div>
      )}
    </>
  );
}
