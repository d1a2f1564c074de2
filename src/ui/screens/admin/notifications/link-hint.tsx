import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApi } from '../../../frame/state/api-context.ts';
import { isThisMachine } from '../../../frame/state/this-machine.ts';
import { useTexts } from '../../../texts/texts-context.tsx';

/** Says so where messages cannot lead their readers to the page. */
export function LinkHint(): ReactNode {
  const api = useApi();
  const { channels } = useTexts().admin;
  const { data } = useQuery({
    queryKey: ['server-info'],
    queryFn: ({ signal }) => api.GET('/api/server/info', { signal }),
  });
  if (data === undefined) return null;
  const { public_url: address } = data;
  if (address !== null && !isThisMachine(address)) return null;
  return (
    <div className="setup-note" role="note">
      <p>{address === null ? channels.noLinks : channels.localLinks(address)}</p>
    </div>
  );
}
