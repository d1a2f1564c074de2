import { type ReactNode, useMemo, useState } from 'react';
import { EmptyState } from '../kit/empty-state.tsx';
import { formatValue } from '../kit/format-value.ts';
import type { WidgetBodyProps } from '../kit/widget/widget-body.ts';
import { flagOf, listOf, objectOf, textOf } from '../kit/widget/widget-config.ts';
import { paletteColor, paletteSize, type Slice } from './chart-data.ts';
import { Swatch } from './legend.tsx';
import { PieRing } from './pie-ring.tsx';

interface PiePayload {
  readonly slices: readonly { readonly label?: unknown; readonly value?: unknown }[];
}

/** A pie or donut chart with a legend that lists every slice. */
export function PieChartWidget({ data, config }: WidgetBodyProps): ReactNode {
  const slices = useMemo(() => readSlices(data), [data]);
  const [pointed, setPointed] = useState<number | null>(null);
  const donut = flagOf(config, 'donut');
  const format = textOf(config, 'format');
  const total = slices.reduce((sum, slice) => sum + slice.value, 0);
  if (total <= 0) return <EmptyState>No data</EmptyState>;
  const centre = pointed === null ? null : slices[pointed];
  return (
    <div className="pie">
      <div className="pie-ring">
        <PieRing slices={slices} total={total} donut={donut} pointed={pointed} onPoint={setPointed} />
        {donut && (
          <p className="pie-total" aria-hidden="true">
            <strong>{shortValue(centre?.value ?? total, format)}</strong>
            <span>{centre?.label ?? 'Total'}</span>
          </p>
        )}
      </div>
      <ul className="pie-legend">
        {slices.map((slice, index) => (
          <li
            key={slice.label}
            data-quiet={(pointed !== null && pointed !== index) || undefined}
            onPointerEnter={() => setPointed(index)}
            onPointerLeave={() => setPointed(null)}
          >
            <Swatch color={slice.color} />
            <span className="pie-label" title={slice.label}>
              {slice.label}
            </span>
            <span className="pie-value">{formatValue(slice.value, format)}</span>
            <span className="pie-share">{formatShare(slice.value / total)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Always one decimal, so that the column lines up. */
function formatShare(share: number): string {
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return new Intl.NumberFormat(undefined, { style: 'percent', ...digits }).format(share);
}

/** A short form that fits the hole of the ring. */
function shortValue(value: number, format: string | null): string {
  const counted = format === null || format === 'number' || format === 'integer';
  return formatValue(value, counted && value >= 10_000 ? 'compact' : format);
}

function readSlices(data: unknown): readonly Slice[] {
  const payload = objectOf<PiePayload>(data, 'the slices of a pie');
  return listOf(payload.slices, 'a list of slices').map((slice, index) => ({
    label: String(slice.label ?? 'Unnamed'),
    value: typeof slice.value === 'number' && slice.value > 0 ? slice.value : 0,
    // Slices beyond the palette share its last colour: repeating the others would suggest a relation.
    color: index < paletteSize - 1 ? paletteColor(index) : paletteColor(paletteSize - 1),
  }));
}
