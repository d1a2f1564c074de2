import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { CopyButton } from '../../../frame/forms/copy-button.tsx';
import { CodeText } from '../../../frame/records/code-text.tsx';
import { useMay } from '../../../frame/session/role.ts';
import { useApi } from '../../../frame/state/api-context.ts';
import { isThisMachine } from '../../../frame/state/this-machine.ts';
import { useTexts } from '../../../texts/texts-context.tsx';

/** The port is fixed, so that executors find the server again after its restart. */
const makeKey = `export SVC_EXECUTOR_KEY=$(openssl rand -hex 32)
export SVC_GRPC_PORT=9090
headgate serve`;

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
  const text = `SVC_EXECUTOR_KEY=… headgate executor --server ${info.data.grpc.address} --slots 4 --name executor-2`;
  const hasNoKey = keys.data?.result.every(({ setting }) => setting === null) ?? false;
  return (
    <section className="panel" aria-labelledby="executor-start">
      <div className="panel-head">
        <h2 id="executor-start">{executors.start.title}</h2>
        <CopyButton text={text} />
      </div>
      {hasNoKey && (
        <>
          <p className="field-hint">{executors.start.noKey}</p>
          <CodeText label={executors.start.makeKey}>{makeKey}</CodeText>
        </>
      )}
      {isThisMachine(`http://${info.data.grpc.address}`) && (
        <p className="field-hint">{executors.start.thisMachine}</p>
      )}
      <p className="field-hint">{executors.start.hint}</p>
      <CodeText label={executors.start.title}>{text}</CodeText>
    </section>
  );
}
