import { type ReactNode, useMemo, useState } from 'react';
import { EmptyState } from '../kit/empty-state.tsx';
import { formatValue, noValue } from '../kit/format-value.ts';
import { pageLocale } from '../kit/page-locale.ts';
import { SafeLink } from '../kit/text/markdown.tsx';
import { safeUrl } from '../kit/text/safe-url.ts';
import type { WidgetBodyProps } from '../kit/widget/widget-body.ts';
import { flagOf, formatOf, listOf, objectOf } from '../kit/widget/widget-config.ts';
import type { WidgetWords } from '../texts/en/widgets/widgets.ts';
import { useWords } from '../texts/words-context.ts';
import { paletteColor, paletteSize, type Slice } from './chart-data.ts';
import { Swatch } from './legend.tsx';
import { PieRing } from './pie-ring.tsx';

interface PiePayload {
  readonly slices: readonly { readonly label?: unknown; readonly value?: unknown; readonly href?: unknown }[];
}

/** Slices that the legend lists at first: the largest ones, where the server sorts them. */
const legendShown = 8;

/** A pie or donut chart with a legend that lists every slice. What is not above 0 is listed too, but has no slice. */
export function PieChartWidget({ data, config }: WidgetBodyProps): ReactNode {
  const words = useWords();
  const slices = useMemo(() => readSlices(data, words), [data, words]);
  const [pointed, setPointed] = useState<number | null>(null);
  const donut = flagOf(config, 'donut');
  const [all, setAll] = useState(false);
  const format = formatOf(config);
  const total = slices.reduce((sum, slice) => sum + Math.max(slice.value, 0), 0);
  const hasNegative = slices.some((slice) => slice.value < 0);
  if (total <= 0) {
    return <EmptyState>{hasNegative ? words.chart.noShares : words.noData}</EmptyState>;
  }
  // One more line takes no more room than the button that would show it.
  const shown = all || slices.length <= legendShown + 1 ? slices : slices.slice(0, legendShown);
  const centre = pointed === null ? null : slices[pointed];
  return (
    <div className="pie">
      <div className="pie-ring">
        <PieRing slices={slices} total={total} donut={donut} pointed={pointed} onPoint={setPointed} />
        {donut && (
          <p className="pie-total" aria-hidden="true">
            <strong>{shortValue(centre?.value ?? total, format)}</strong>
            <span>{centre?.label ?? words.chart.total}</span>
          </p>
        )}
      </div>
      <div className="pie-legend">
        <ul>
          {shown.map((slice, index) => (
            <li
              key={slice.label}
              data-quiet={(pointed !== null && pointed !== index) || undefined}
              onPointerEnter={() => setPointed(index)}
              onPointerLeave={() => setPointed(null)}
            >
              <Swatch color={slice.color} />
              <span className="pie-label" title={slice.label}>
                {slice.href === null ? slice.label : <SafeLink href={slice.href}>{slice.label}</SafeLink>}
              </span>
              <span className="pie-value">{formatValue(slice.value, format)}</span>
              <span className="pie-share">
                {slice.value < 0 ? noValue : formatShare(slice.value / total)}
              </span>
            </li>
          ))}
        </ul>
        {shown.length < slices.length && (
          <button type="button" className="text-button" onClick={() => setAll(true)}>
            {words.chart.showAll(slices.length)}
          </button>
        )}
        {hasNegative && <p className="pie-note">{words.chart.negative}</p>}
      </div>
    </div>
  );
}

/** Always one decimal, so that the column lines up. */
function formatShare(share: number): string {
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return new Intl.NumberFormat(pageLocale(), { style: 'percent', ...digits }).format(share);
}

/** A short form that fits the hole of the ring. */
function shortValue(value: number, format: string | null): string {
  const [name = ''] = format?.split('/') ?? [];
  const counted = ['', 'number', 'integer'].includes(name);
  return formatValue(value, counted && value >= 10_000 ? 'compact' : format);
}

function readSlices(data: unknown, words: WidgetWords): readonly Slice[] {
  const payload = objectOf<PiePayload>(data, 'the slices of a pie');
  return listOf(payload.slices, 'a list of slices').map((slice, index) => ({
    label: String(slice.label ?? words.unnamed),
    value: typeof slice.value === 'number' && Number.isFinite(slice.value) ? slice.value : 0,
    href: safeUrl(slice.href),
    // Slices beyond the palette share its last colour: repeating the others would suggest a relation.
    color: index < paletteSize - 1 ? paletteColor(index) : paletteColor(paletteSize - 1),
  }));
}
