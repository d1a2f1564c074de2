import type { ReactNode } from 'react';
import type { Slice } from './chart-data.ts';

const size = 200;
const outer = 98;
const inner = 68;
/** The gap between slices, in units of the view box. */
const gapUnits = 2;

interface PieRingProps {
  readonly slices: readonly Slice[];
  /** The sum of the values above 0; the others have no slice. */
  readonly total: number;
  readonly donut: boolean;
  /** Index of the slice under the pointer. */
  readonly pointed: number | null;
  onPoint(index: number | null): void;
}

/** The slices, clockwise from the top. The legend has the same content, so it is hidden from screen readers. */
export function PieRing({ slices, total, donut, pointed, onPoint }: PieRingProps): ReactNode {
  let start = 0;
  return (
    <svg className="pie-svg" viewBox={`0 0 ${size} ${size}`} aria-hidden="true">
      {slices.map((slice, index) => {
        const end = start + Math.max(slice.value, 0) / total;
        const path = slicePath(start, end, donut ? inner : 0);
        start = end;
        if (slice.value <= 0) return null;
        return (
          <path
            key={slice.label}
            d={path}
            style={{ fill: slice.color.startsWith('--') ? `var(${slice.color})` : slice.color }}
            data-quiet={(pointed !== null && pointed !== index) || undefined}
            onPointerEnter={() => onPoint(index)}
            onPointerLeave={() => onPoint(null)}
          />
        );
      })}
    </svg>
  );
}

/** A slice from `start` to `end`, both as fractions of a turn. A full turn is two halves without a gap, since an arc cannot close. */
function slicePath(start: number, end: number, hole: number, gap = gapUnits): string {
  if (end - start > 0.9999) return slicePath(0, 0.5, hole, 0) + slicePath(0.5, 1, hole, 0);
  const half = end - start > 0.5 ? 1 : 0;
  const trim = (radius: number) =>
    radius === 0 ? 0 : Math.min(gap / 2 / (2 * Math.PI * radius), (end - start) / 3);
  const out = trim(outer);
  const hem = trim(hole);
  const from = `M${point(start + out, outer)}A${outer} ${outer} 0 ${half} 1 ${point(end - out, outer)}`;
  if (hole === 0) return `${from}L${point(0, 0)}Z`;
  return `${from}L${point(end - hem, hole)}A${hole} ${hole} 0 ${half} 0 ${point(start + hem, hole)}Z`;
}

function point(share: number, radius: number): string {
  const angle = share * 2 * Math.PI;
  const x = size / 2 + radius * Math.sin(angle);
  const y = size / 2 - radius * Math.cos(angle);
  return `${x.toFixed(2)} ${y.toFixed(2)}`;
}
