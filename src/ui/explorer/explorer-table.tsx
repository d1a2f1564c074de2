import { type ReactNode, useEffect, useRef } from 'react';
import { Icon } from '../kit/icon.tsx';
import { DataRows, HeaderCell } from '../kit/table/table-cell.tsx';
import { alignOf, type TableColumn, type TableRow, type TableSort } from '../kit/table/table-rows.ts';
import { useInputWords } from '../texts/input-words.ts';
import { useWords } from '../texts/words-context.ts';

interface ExplorerTableProps {
  readonly title: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly TableRow[];
  readonly sort: TableSort | null;
  /** True while another page is loading: `rows` are still those of the previous one. */
  readonly busy: boolean;
  readonly problem: string | null;
  /** Identifies the page: a new one starts scrolled to its top. */
  readonly pageKey: string;
  /** Whether a search or a filter is active. */
  readonly narrowed: boolean;
  onSort(key: string): void;
  onRetry(): void;
  onClear(): void;
}

/** One page of rows, or the reason why there is none. */
export function ExplorerTable(props: ExplorerTableProps): ReactNode {
  const { title, columns, rows, sort, busy, problem, pageKey, onSort } = props;
  const { name: tableName } = useWords().table;
  const scroll = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page starts at its top
  useEffect(() => {
    if (scroll.current) scroll.current.scrollTop = 0;
  }, [pageKey]);
  return (
    <div className="table-room">
      <section
        ref={scroll}
        className="table-scroll"
        aria-label={tableName(title)}
        aria-busy={busy}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
      >
        {columns.length > 0 && (
          <table aria-label={title} data-busy={busy || undefined}>
            <thead>
              <tr>
                {columns.map((column) => (
                  <HeaderCell
                    key={column.key}
                    column={column}
                    align={alignOf(column, rows)}
                    sort={sort?.key === column.key ? sort.direction : undefined}
                    onSort={() => onSort(column.key)}
                  />
                ))}
              </tr>
            </thead>
            {problem === null && <DataRows columns={columns} shown={rows} rows={rows} />}
          </table>
        )}
        <Instead {...props} onLeave={() => scroll.current?.focus()} />
      </section>
    </div>
  );
}

/** What is shown instead of rows. */
function Instead(props: ExplorerTableProps & { readonly onLeave: () => void }): ReactNode {
  const words = useInputWords();
  const { rows, busy, problem, narrowed, onRetry, onClear, onLeave } = props;
  // The button disappears along with the problem; the focus must not.
  const leaving = (act: () => void) => () => {
    onLeave();
    act();
  };
  if (problem !== null) {
    return (
      <div className="explorer-instead" role="alert">
        <Icon name="alert" size={18} />
        <p>{problem}</p>
        <p>
          <button type="button" className="button button-plain" onClick={leaving(onRetry)}>
            {words.explorer.again}
          </button>
          <button type="button" className="button button-plain" onClick={leaving(onClear)}>
            {words.explorer.startOver}
          </button>
        </p>
      </div>
    );
  }
  if (rows.length > 0 || busy) return null;
  return (
    <div className="explorer-instead">
      <Icon name="empty" size={20} />
      <p>{narrowed ? words.explorer.noMatches : words.explorer.none}</p>
      {narrowed && (
        <button type="button" className="button button-plain" onClick={leaving(onClear)}>
          {words.explorer.showAll}
        </button>
      )}
    </div>
  );
}
