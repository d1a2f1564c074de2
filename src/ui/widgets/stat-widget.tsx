import type { CSSProperties, ReactNode } from 'react';
import { formatValue, noValue } from '../kit/format-value.ts';
import { Sparkline } from '../kit/sparkline.tsx';
import { SafeLink } from '../kit/text/markdown.tsx';
import type { WidgetBodyProps } from '../kit/widget/widget-body.ts';
import { formatOf, objectOf, textOf, toneOf, type WidgetConfig } from '../kit/widget/widget-config.ts';
import { useWords } from '../texts/words-context.ts';

interface StatPayload {
  readonly value: unknown;
  readonly compare: unknown;
  readonly delta: unknown;
  readonly sparkline: unknown;
  readonly level: unknown;
  readonly href?: unknown;
}

/** One number, its change, and its history as a sparkline. */
export function StatWidget({ data, config }: WidgetBodyProps): ReactNode {
  const { value, compare, delta, sparkline, level, href } = objectOf<StatPayload>(
    data,
    'a number with its comparison',
  );
  const format = formatOf(config);
  const unit = textOf(config, 'unit');
  const shown = formatValue(value, format);
  const points = Array.isArray(sparkline) ? sparkline.map(Number).filter(Number.isFinite) : [];
  return (
    <div className="stat">
      <p className="stat-value" data-tone={toneOf(level)} data-length={lengthClass(shown)}>
        <span data-number={typeof value === 'number' || undefined} style={lengthStyle(shown)}>
          {href === null || href === undefined ? shown : <SafeLink href={href}>{shown}</SafeLink>}
        </span>
        {unit !== null && shown !== noValue && <span className="stat-unit"> {unit}</span>}
      </p>
      <div className="stat-foot">
        <Change value={value} compare={compare} delta={delta} format={format} config={config} />
        {points.length > 1 && <Sparkline values={points} />}
      </div>
    </div>
  );
}

/** Long values have a smaller font, so that they fit on one line in a narrow card. */
function lengthClass(text: string): string {
  return text.length > 12 ? 'long' : text.length > 8 ? 'medium' : 'short';
}

/** The number of characters, by which a number that is too long for its card is written smaller: it never breaks inside. */
function lengthStyle(text: string): CSSProperties {
  return { '--length': text.length } as CSSProperties;
}

interface ChangeProps {
  readonly value: unknown;
  readonly compare: unknown;
  readonly delta: unknown;
  readonly format: string | null;
  readonly config: WidgetConfig;
}

/** The change against the comparison: ratios in percentage points, everything else in percent unless the comparison is 0. */
function Change({ value, compare, delta, format, config }: ChangeProps): ReactNode {
  const words = useWords();
  const difference =
    typeof value === 'number' && typeof compare === 'number'
      ? value - compare
      : typeof delta === 'number'
        ? delta
        : null;
  if (difference === null) return null;
  const base = typeof compare === 'number' && compare !== 0 ? Math.abs(compare) : null;
  const size =
    config['format'] === 'percent'
      ? `${formatValue(Math.round(Math.abs(difference) * 1000) / 10)} ${words.stat.points}`
      : base === null
        ? formatValue(Math.abs(difference), format)
        : formatValue(Math.abs(difference) / base, 'percent');
  const direction = difference > 0 ? 'up' : difference < 0 ? 'down' : 'flat';
  const good = config['trend'] === 'down_is_good' ? 'down' : config['trend'] === 'up_is_good' ? 'up' : null;
  const tone = good === null || direction === 'flat' ? 'neutral' : direction === good ? 'success' : 'danger';
  const arrows = { up: 'M6 2.5 10 8.5H2Z', down: 'M6 9.5 2 3.5h8Z', flat: 'M2 5h8v2H2Z' };
  const said = { up: words.stat.up, down: words.stat.down, flat: '' };
  return (
    <p className="stat-change">
      <span className="delta" data-tone={tone}>
        <svg width="10" height="12" viewBox="0 0 12 12" aria-hidden="true">
          <path d={arrows[direction]} fill="currentColor" />
        </svg>
        <span className="visually-hidden">{said[direction]}</span>
        {direction === 'flat' ? words.stat.noChange : size}
      </span>
      {compare !== null && compare !== undefined && (
        <span className="stat-compare">
          {' '}
          {words.stat.against} {formatValue(compare, format === 'number' ? 'compact' : format)}
        </span>
      )}
    </p>
  );
}
