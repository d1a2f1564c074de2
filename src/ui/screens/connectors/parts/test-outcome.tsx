import type { ReactNode } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { FormProblem } from '../../../frame/forms/form-problem.tsx';
import { Icon } from '../../../kit/icon.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';

interface TestOutcomeProps {
  readonly test: {
    readonly data: components['schemas']['ConnectorTest'] | undefined;
    readonly error: Error | null;
    readonly isPending: boolean;
  };
}

/** What came of a test: what answered, or why nothing did. */
export function TestOutcome({ test: { data, error, isPending } }: TestOutcomeProps): ReactNode {
  const { connectors } = useTexts();
  return (
    <div className="test-outcome" role="status">
      {isPending && connectors.testing}
      {!isPending && data !== undefined && (
        <p data-tone={data.ok ? 'success' : 'danger'}>
          <Icon name={data.ok ? 'check' : 'alert'} />
          <span>
            <strong>{data.ok ? connectors.testOk : connectors.testFailed}</strong> {data.message}{' '}
            <span className="record-id">{connectors.tookMs(Math.round(data.duration_ms))}</span>
          </span>
        </p>
      )}
      {!isPending && <FormProblem error={error} />}
    </div>
  );
}
