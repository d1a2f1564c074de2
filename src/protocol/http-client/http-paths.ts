export const REGISTER_PATH = '/api/executors/register';
export const METRICS_PATH = '/api/executor-callbacks/metrics/ingest';

export function executorPath(executorId: number, call?: string): string {
  return `/api/executors/${executorId}${call === undefined ? '' : `/${call}`}`;
}

export function runPath(runId: number, call: string): string {
  return `/api/executor-callbacks/runs/${runId}/${call}`;
}
