import type { MetricsBackend } from './backend.ts';

/** Keeps nothing. */
export const noopBackend: MetricsBackend = {
  durable: false,
  write: () => Promise.resolve(),
  stored: null,
  close: () => Promise.resolve(),
};
