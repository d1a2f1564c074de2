import type { ReactNode } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { reasonText } from '../../../frame/records/reason.ts';
import { StatusBadge } from '../../../frame/records/status-badge.tsx';
import { formatValue } from '../../../kit/format-value.ts';
import { useCatalogue } from '../../../texts/texts-context.tsx';

interface RunHistoryProps {
  readonly entries: components['schemas']['RunDetail']['status_history'];
}

/** The states of a run one after another, with their reasons. */
export function RunHistory({ entries }: RunHistoryProps): ReactNode {
  const { texts, locale } = useCatalogue();
  return (
    <div>
      <div className="panel-head">
        <h3>{texts.run.history}</h3>
      </div>
      <ol className="history">
        {entries.map((entry) => (
          <li key={`${entry.at} ${entry.to_status}`}>
            <StatusBadge status={entry.to_status} />
            <span>{reasonText(texts, entry.reason)}</span>
            <time dateTime={entry.at}>{formatValue(entry.at, 'datetime', { locale })}</time>
          </li>
        ))}
      </ol>
    </div>
  );
}
