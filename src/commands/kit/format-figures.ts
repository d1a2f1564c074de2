const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

export function formatCount(count: number): string {
  return whole.format(count);
}

export function formatSeconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
