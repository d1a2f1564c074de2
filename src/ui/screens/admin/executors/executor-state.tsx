import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { useTexts } from '../../../texts/texts-context.tsx';

export type Executor = components['schemas']['Executor'];

const tones: Readonly<Record<Executor['status'], string | undefined>> = {
  online: 'success',
  draining: 'warning',
  drained: 'warning',
  lost: 'danger',
  gone: undefined,
};

export function ExecutorState({ status }: { readonly status: Executor['status'] }): ReactNode {
  const { executors } = useTexts();
  return (
    <span className="status" data-tone={tones[status]}>
      {executors.states[status]}
    </span>
  );
}

export function labelText(labels: Executor['labels']): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(', ');
}

export function ExecutorLink({ id, name }: Pick<Executor, 'id' | 'name'>): ReactNode {
  return (
    <Link to="/admin/executors/$id" params={{ id: String(id) }} className="record-link">
      {name} <span className="record-id">#{id}</span>
    </Link>
  );
}
