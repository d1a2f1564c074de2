import type { ReactNode } from 'react';
import { formatValue } from '../kit/format-value.ts';
import { Icon } from '../kit/icon.tsx';
import { useInputWords } from '../texts/input-words.ts';
import { rangeInWords } from './rows-filter.ts';

interface ExplorerFootProps {
  /** Number of rows on the pages before this one. */
  readonly before: number;
  readonly shown: number;
  readonly total: number | undefined;
  readonly busy: boolean;
  readonly failed: boolean;
  readonly nextCursor: string | null;
  /** URL of a file with all rows; null when exporting is off. */
  readonly exports: ((format: 'csv' | 'ndjson') => string) | null;
  readonly onBack: (() => void) | null;
  onNext(cursor: string): void;
}

/** The position among all rows, paging, and the export links. */
export function ExplorerFoot(props: ExplorerFootProps): ReactNode {
  const words = useInputWords();
  const { before, shown, total, busy, failed, nextCursor, exports, onBack, onNext } = props;
  const range = rangeInWords(words, { before, shown, hasMore: nextCursor !== null, total }, (value) =>
    formatValue(value, 'integer'),
  );
  const canGoOn = nextCursor !== null && !busy && !failed;
  return (
    <div className="table-foot explorer-foot">
      <p role="status">{failed ? '' : busy ? words.explorer.loading : range}</p>
      {exports !== null && (
        <span className="explorer-exports">
          <a className="text-button" href={exports('csv')} download>
            <Icon name="download" size={14} /> CSV
          </a>
          <a className="text-button" href={exports('ndjson')} download>
            <Icon name="download" size={14} /> NDJSON
          </a>
        </span>
      )}
      <span className="explorer-pages">
        <button
          type="button"
          className="icon-button"
          aria-label={words.explorer.previous}
          title={words.explorer.previous}
          aria-disabled={onBack === null || busy || undefined}
          onClick={() => !busy && onBack?.()}
        >
          <Icon name="left" />
        </button>
        <button
          type="button"
          className="icon-button"
          aria-label={words.explorer.next}
          title={words.explorer.next}
          aria-disabled={!canGoOn || undefined}
          onClick={() => canGoOn && onNext(nextCursor)}
        >
          <Icon name="right" />
        </button>
      </span>
    </div>
  );
}
