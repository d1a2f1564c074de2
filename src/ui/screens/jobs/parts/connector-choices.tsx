import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useId } from 'react';
import { Loaded } from '../../../frame/layout/loaded.tsx';
import { byName } from '../../../frame/records/filter.tsx';
import { useMay } from '../../../frame/session/role.ts';
import { useApi } from '../../../frame/state/api-context.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import { TestOutcome } from '../../connectors/parts/test-outcome.tsx';

interface ConnectorChoiceProps {
  /** The template's name for it. */
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string | null;
  readonly value: number | undefined;
  onChange(id: number | undefined): void;
}

/**
 * Which saved connector a job uses under a name of its template; only those of its type are offered. Where one is needed and there is
 * but one, it is chosen.
 */
export function ConnectorChoice(props: ConnectorChoiceProps): ReactNode {
  const { name, type, required, description, value, onChange } = props;
  const api = useApi();
  const id = useId();
  const { jobs, connectors } = useTexts();
  const mayConnect = useMay('admin');
  const known = useQuery({
    queryKey: ['connectors', 'of-type', type],
    queryFn: ({ signal }) => api.GET('/api/connectors', { params: { query: { ...byName, type } }, signal }),
    select: ({ result }) => result,
  });
  const only = required && known.data?.length === 1 ? known.data[0]?.id : undefined;
  useEffect(() => {
    if (only !== undefined && value === undefined) onChange(only);
  }, [only, value, onChange]);
  const test = useMutation({
    mutationFn: (connector: number) =>
      api.POST('/api/connectors/{id}/test', { params: { path: { id: connector } } }),
  });
  return (
    <div className="field config-field">
      <div className="field-label">
        <label htmlFor={id}>
          {name} <span className="config-required">· {required ? connectors.required : jobs.optional}</span>
        </label>
      </div>
      <Loaded query={known} lines={1}>
        {(all) => (
          <div className="connector-choice">
            <select
              id={id}
              className="field-box"
              required={required}
              value={value ?? ''}
              onChange={({ target }) => {
                test.reset();
                onChange(target.value === '' ? undefined : Number(target.value));
              }}
            >
              {only === undefined && (
                <option value="">{all.length === 0 ? jobs.noConnector(type) : jobs.choose}</option>
              )}
              {all.map((connector) => (
                <option key={connector.id} value={connector.id}>
                  {connector.name}
                </option>
              ))}
            </select>
            <button
              type="button"
              className="button"
              data-style="secondary"
              disabled={value === undefined || test.isPending}
              aria-label={`${jobs.test}: ${name}`}
              onClick={() => value !== undefined && test.mutate(value)}
            >
              {jobs.test}
            </button>
          </div>
        )}
      </Loaded>
      <p className="field-hint">
        {description ?? type}
        {known.data?.length === 0 && mayConnect && (
          <>
            {' '}
            {/* What is typed here stays; the list is read again when the window is looked at. */}
            <Link to="/connectors/new" search={{ type }} target="_blank">
              {jobs.newConnector}
            </Link>
          </>
        )}
      </p>
      <TestOutcome test={test} />
    </div>
  );
}
