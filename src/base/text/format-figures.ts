/** A whole number with its thousands apart: `1,234,567`. Not by Intl, whose first number costs a start 10 ms. */
export function formatCount(count: number): string {
  return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ',');
}

export function formatSeconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
