import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { ListHead } from '../../../frame/records/list-head.tsx';
import { Moment, When } from '../../../frame/records/moments.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import { HealthBadge } from './health-badge.tsx';
import { useConnectorTypes } from './use-connector-types.ts';

interface HealthTableProps {
  readonly records: readonly components['schemas']['ListedConnectorHealth'][];
}

/** Connectors with their status, since when they have it, and their last error; each leads to its health. */
export function HealthTable({ records }: HealthTableProps): ReactNode {
  const { connectors } = useTexts();
  const types = new Map((useConnectorTypes().data ?? []).map(({ type, title }) => [type, title]));
  return (
    <table className="list run-list">
      <ListHead
        columns={[
          { label: connectors.name },
          { label: connectors.type },
          { label: connectors.health.lastError, isWide: true },
        ]}
      />
      <tbody>
        {records.map(({ connector_id: id, name, type, status, since, last_error_at: failedAt }) => (
          <tr key={id}>
            <td>
              <Link
                to="/connectors/$id"
                params={{ id: String(id) }}
                search={{ view: 'health' }}
                className="record-link"
              >
                {name}
              </Link>{' '}
              <HealthBadge status={status} />
              {since !== null && (
                <p className="record-facts">
                  {connectors.health.since} <Moment at={since} />
                </p>
              )}
            </td>
            <td>{types.get(type) ?? type}</td>
            <td className="wide-only">
              {failedAt === null ? connectors.health.noError : <When at={failedAt} />}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
