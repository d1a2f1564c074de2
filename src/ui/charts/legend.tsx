import type { ReactNode } from 'react';
import { useWords } from '../texts/words-context.ts';

interface LegendEntry {
  readonly label: string;
  readonly color: string;
}

interface LegendProps {
  readonly entries: readonly LegendEntry[];
  readonly hidden: ReadonlySet<string>;
  onToggle(label: string): void;
}

/** The names of the series; each toggles its series. */
export function Legend({ entries, hidden, onToggle }: LegendProps): ReactNode {
  const words = useWords();
  return (
    <ul className="legend" aria-label={words.chart.series}>
      {entries.map((entry) => (
        <li key={entry.label}>
          <button type="button" aria-pressed={!hidden.has(entry.label)} onClick={() => onToggle(entry.label)}>
            <Swatch color={entry.color} />
            {entry.label}
          </button>
        </li>
      ))}
    </ul>
  );
}

export function Swatch({ color }: { readonly color: string }): ReactNode {
  return (
    <span
      className="swatch"
      aria-hidden="true"
      style={{ backgroundColor: color.startsWith('--') ? `var(${color})` : color }}
    />
  );
}
