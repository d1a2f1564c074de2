import type { ReactNode } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { asFigure, ListHead } from '../../../frame/records/list-head.tsx';
import { StatusBadge } from '../../../frame/records/status-badge.tsx';
import { formatDuration, formatValue } from '../../../kit/format-value.ts';
import { useCatalogue } from '../../../texts/texts-context.tsx';

type RunStep = components['schemas']['RunStep'];

/** Of the record's lines, those of items. */
export function isItem({ kind }: Pick<RunStep, 'kind'>): boolean {
  return kind === 'item';
}

interface ItemSectionProps {
  /** All lines of the record. */
  readonly steps: readonly RunStep[];
}

/** How each item of a node with `foreach_expr` ended, those that failed first; nothing for other runs. */
export function ItemSection({ steps }: ItemSectionProps): ReactNode {
  const { texts, locale } = useCatalogue();
  const { run, runs } = texts;
  const items = steps.filter(isItem);
  if (items.length === 0) return null;
  const total = steps.find(({ step_id }) => step_id === 'items')?.rows_in ?? items.length;
  const number = (value: number) => formatValue(value, 'integer', { locale });
  return (
    <section className="panel" aria-labelledby="run-items">
      <h2 id="run-items">{run.items}</h2>
      {total > items.length && (
        <p className="field-hint">{run.someItems(number(items.length), number(total))}</p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls on a narrow screen */}
      <section className="scroller" aria-label={run.items} tabIndex={0}>
        <table className="list">
          <ListHead
            columns={[
              { label: run.item },
              { label: runs.status },
              ...[run.rowsIn, run.rowsOut, run.rowsFailed, run.time].map(asFigure),
            ]}
          />
          <tbody>
            {items.map((item) => (
              <ItemRow key={item.step_id} item={item} />
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}

function ItemRow({ item }: { readonly item: RunStep }): ReactNode {
  const { locale } = useCatalogue();
  const number = (value: number) => formatValue(value, 'integer', { locale });
  const { step_id, status, error, rows_in, rows_out, rows_failed, duration_ms } = item;
  return (
    <tr>
      <th scope="row">
        {step_id.replace(/^item\[(.*)\]$/, '$1')}
        {error !== null && <p className="record-error">{error}</p>}
      </th>
      <td>
        <StatusBadge status={status} />
      </td>
      <td data-align="right">{number(rows_in)}</td>
      <td data-align="right">{number(rows_out)}</td>
      <td data-align="right" data-tone={rows_failed > 0 ? 'danger' : undefined}>
        {number(rows_failed)}
      </td>
      <td data-align="right">{formatDuration(duration_ms / 1_000, locale)}</td>
    </tr>
  );
}
