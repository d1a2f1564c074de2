import type { ReactNode } from 'react';

const width = 120;
const height = 32;
const pointsMax = 200;

/** The shape of a series, without axes: decoration beside a number, so it is hidden from assistive technology. */
export function Sparkline({ values }: { readonly values: readonly number[] }): ReactNode {
  const shown = values.slice(-pointsMax);
  const low = Math.min(...shown);
  const range = Math.max(...shown) - low || 1;
  const points = shown.map((value, at) => {
    const x = (at / (shown.length - 1)) * width;
    const y = height - 2 - ((value - low) / range) * (height - 4);
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  });
  const line = `M${points.join('L')}`;
  return (
    <svg
      className="sparkline"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path className="sparkline-area" d={`${line}L${width} ${height}L0 ${height}Z`} />
      <path className="sparkline-line" d={line} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
