import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { CopyButton } from '../../../frame/forms/copy-button.tsx';
import { CodeText } from '../../../frame/records/code-text.tsx';
import { useMay } from '../../../frame/session/role.ts';
import { useApi } from '../../../frame/state/api-context.ts';
import { isThisMachine } from '../../../frame/state/this-machine.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import { executorStart } from './executor-start.ts';

/** The line that starts another executor for this server, with its address. */
export function StartSection(): ReactNode {
  const api = useApi();
  const { executors } = useTexts();
  const info = useQuery({
    queryKey: ['server-info'],
    queryFn: ({ signal }) => api.GET('/api/server/info', { signal }),
  });
  const isSuper = useMay('superadmin');
  const keys = useQuery({
    queryKey: ['executor-keys'],
    queryFn: ({ signal }) => api.GET('/api/server/executor-keys', { signal }),
    enabled: isSuper,
  });
  if (info.data === undefined) return null;
  const { server, line, makeKey } = executorStart(info.data.grpc, window.location.hostname);
  const hasNoKey = keys.data?.result.every(({ setting }) => setting === null) ?? false;
  return (
    <section className="panel" aria-labelledby="executor-start">
      <div className="panel-head">
        <h2 id="executor-start">{executors.start.title}</h2>
        <CopyButton text={line} />
      </div>
      {hasNoKey && (
        <>
          <p className="field-hint">{executors.start.noKey}</p>
          <CodeText label={executors.start.makeKey}>{makeKey}</CodeText>
        </>
      )}
      {isThisMachine(`http://${server}`) && <p className="field-hint">{executors.start.thisMachine}</p>}
      <p className="field-hint">{executors.start.hint}</p>
      <CodeText label={executors.start.title}>{line}</CodeText>
    </section>
  );
}
