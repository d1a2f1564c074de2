import type { ReactNode } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { useTexts } from '../../../texts/texts-context.tsx';

type Status = components['schemas']['ConnectorHealth']['status'];

const tones = { ok: 'success', degraded: 'warning', failing: 'danger', unknown: 'neutral' } as const;

/** Whether a connector works, in words and in its colour. */
export function HealthBadge({ status }: { readonly status: Status }): ReactNode {
  const { statuses } = useTexts().connectors.health;
  return (
    <span className="status" data-tone={tones[status]}>
      {statuses[status]}
    </span>
  );
}
