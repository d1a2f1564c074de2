import { type ReactNode, useState } from 'react';
import { ListHead } from '../../../frame/records/list-head.tsx';
import { Pages, usePages } from '../../../frame/records/pages.tsx';
import { useMay } from '../../../frame/session/role.ts';
import { useApi } from '../../../frame/state/api-context.ts';
import { Icon } from '../../../kit/icon.tsx';
import type { Texts } from '../../../texts/en/texts.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import { wordOf } from '../../../texts/word-of.ts';
import { VerbDialog } from '../receivers/verb-dialog.tsx';
import type { Backend } from './backend.ts';
import { BackendDialog } from './backend-dialog.tsx';

type Asked = { readonly verb: 'edit' | 'toggle' | 'remove'; readonly backend: Backend };

/** Where the measurements of runs go. */
export function BackendSection(): ReactNode {
  const api = useApi();
  const { metrics } = useTexts();
  const mayWrite = useMay('admin');
  const [asked, setAsked] = useState<Asked | 'new' | null>(null);
  const close = () => setAsked(null);
  const query = usePages(
    ['metrics-config'],
    (page, signal) =>
      api.GET('/api/metrics/config', { params: { query: { sort: 'name' as const, ...page } }, signal }),
    { isLive: false },
  );
  return (
    <section className="panel stack" aria-label={metrics.backends}>
      <div className="panel-head">
        <h2>{metrics.backends}</h2>
        {mayWrite && (
          <button type="button" className="button" data-style="secondary" onClick={() => setAsked('new')}>
            <Icon name="plus" />
            {metrics.new}
          </button>
        )}
      </div>
      <p className="field-hint">{metrics.backendsHint}</p>
      <Pages query={query} empty={metrics.none}>
        {(backends) => <BackendTable backends={backends} onAsk={mayWrite ? setAsked : null} />}
      </Pages>
      {(asked === 'new' || (asked !== null && asked.verb === 'edit')) && (
        <BackendDialog backend={asked === 'new' ? null : asked.backend} onClose={close} />
      )}
      {asked !== null && asked !== 'new' && asked.verb !== 'edit' && (
        <AskDialog verb={asked.verb} backend={asked.backend} onClose={close} />
      )}
    </section>
  );
}

interface AskDialogProps {
  readonly verb: 'toggle' | 'remove';
  readonly backend: Backend;
  onClose(): void;
}

function AskDialog({ verb, backend, onClose }: AskDialogProps): ReactNode {
  const api = useApi();
  const { metrics } = useTexts();
  const { id, version, enabled } = backend;
  const params = { path: { id }, header: { 'If-Match': `"${version}"` } };
  return (
    <VerbDialog
      receiver={backend}
      verb={verb}
      queryKey={['metrics-config']}
      hints={metrics}
      toggle={() => api.PUT('/api/metrics/config/{id}', { params, body: { enabled: !enabled } })}
      remove={() => api.DELETE('/api/metrics/config/{id}', { params })}
      leave={async () => onClose()}
      onClose={onClose}
    />
  );
}

interface BackendTableProps {
  readonly backends: readonly Backend[];
  /** Null: they may only be looked at. */
  readonly onAsk: ((asked: Asked) => void) | null;
}

function BackendTable({ backends, onAsk }: BackendTableProps): ReactNode {
  const { admin, editor, jobs, metrics, runs } = useTexts();
  return (
    <table className="list run-list">
      <ListHead
        columns={[
          { label: jobs.name },
          { label: runs.status },
          { label: metrics.kind, isWide: true },
          { label: metrics.target, isWide: true },
        ]}
      >
        {onAsk !== null && (
          <th scope="col">
            <span className="visually-hidden">{editor.edit}</span>
          </th>
        )}
      </ListHead>
      <tbody>
        {backends.map((backend) => (
          <tr key={backend.id}>
            <td>
              {backend.name} <span className="record-id">#{backend.id}</span>
            </td>
            <td>
              <span className="status" data-tone={backend.enabled ? 'success' : 'neutral'}>
                {backend.enabled ? admin.receivers.enabled : admin.receivers.disabled}
              </span>
            </td>
            <td className="wide-only">{wordOf(metrics.kinds, backend.backend)}</td>
            <td className="wide-only">{targetOf(backend, metrics)}</td>
            {onAsk !== null && (
              <td data-align="right">
                <Verbs backend={backend} onAsk={onAsk} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Verbs({ backend, onAsk }: { readonly backend: Backend; onAsk(asked: Asked): void }): ReactNode {
  const { admin, editor } = useTexts();
  const verbs = [
    ['edit', editor.edit],
    ['toggle', backend.enabled ? admin.receivers.disable : admin.receivers.enable],
    ['remove', editor.verbs.remove],
  ] as const;
  return verbs.map(([verb, label]) => (
    <button
      key={verb}
      type="button"
      className="text-button"
      aria-label={`${label}: ${backend.name}`}
      onClick={() => onAsk({ verb, backend })}
    >
      {label}
    </button>
  ));
}

/** Where it writes to, without its secrets. */
function targetOf({ backend, config }: Backend, metrics: Texts['metrics']): string {
  switch (backend) {
    case 'localdb':
      return String(config['path'] ?? '');
    case 'statsd':
      return `${config['host']}:${config['port']}`;
    case 'http':
      return String(config['url'] ?? '');
    case 'serverdb':
      return config['url'] === undefined ? metrics.ownDatabase : '';
    case 'noop':
      return '';
    default:
      return backend satisfies never;
  }
}
