import type { ReactNode } from 'react';
import type { RowsAnswer } from '../api/widget-calls.ts';
import type { TableColumn, TableRow } from '../kit/table/table-rows.ts';
import type { WidgetBodyProps } from '../kit/widget/widget-body.ts';
import { countOf, flagOf, listOf, objectOf } from '../kit/widget/widget-config.ts';
import { useWidgetHost } from '../kit/widget/widget-host.ts';
import { ExplorerFoot } from './explorer-foot.tsx';
import { ExplorerTable } from './explorer-table.tsx';
import { ExplorerTools } from './explorer-tools.tsx';
import { readFilters } from './rows-filter.ts';
import { useExplorerQuery } from './use-explorer-query.ts';
import { useRows } from './use-rows.ts';

const pageSizeDefault = 50;

/** Rows of a connector, page by page. The server sorts, searches and filters them: there may be more than a browser could hold. */
export function ExplorerWidget({ widgetId, data, updatedAt, config, title }: WidgetBodyProps): ReactNode {
  const { calls } = useWidgetHost();
  const specs = readFilters(config);
  const asked = useExplorerQuery(specs);
  const { query } = asked;
  const { page, busy, problem, retry } = useRows({
    widgetId,
    first: readPage(data),
    firstAt: updatedAt,
    query,
    cursor: asked.cursor,
    restarts: asked.restarts,
    limit: countOf(config, 'page_size', pageSizeDefault),
  });
  const columns = listOf(page.columns as readonly TableColumn[], 'a list of columns');
  const rows = listOf(page.rows as readonly TableRow[], 'a list of rows');
  return (
    <div className="table explorer">
      <ExplorerTools title={title} searchable={flagOf(config, 'search')} specs={specs} asked={asked} />
      <ExplorerTable
        title={title}
        columns={columns}
        rows={rows}
        sort={asked.sort}
        busy={busy}
        problem={problem}
        pageKey={asked.pageKey}
        narrowed={query.search !== '' || Object.keys(query.filters).length > 0}
        onSort={asked.sortBy}
        onRetry={retry}
        onClear={asked.clear}
      />
      <ExplorerFoot
        before={asked.before}
        shown={rows.length}
        total={page.total}
        busy={busy}
        failed={problem !== null}
        nextCursor={page.next_cursor}
        exports={flagOf(config, 'export') ? (format) => calls.exportUrl(widgetId, format, query) : null}
        onBack={asked.goBack}
        onNext={(cursor) => asked.goOn(cursor, rows.length)}
      />
    </div>
  );
}

function readPage(data: unknown): RowsAnswer {
  const page = objectOf<RowsAnswer>(data, 'a page of rows');
  return {
    ...page,
    columns: page.columns ?? [],
    rows: page.rows ?? [],
    next_cursor: page.next_cursor ?? null,
  };
}
