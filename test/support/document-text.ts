import { parseDashboard } from '../../src/language/dashboard/parse-dashboard.ts';

/** A dashboard's YAML as the worker host gets it: parsed, as JSON text. */
export function documentText(yaml: string): string {
  const parsed = parseDashboard(yaml, { vars: {} });
  if (!parsed.ok) throw new Error(parsed.problems.map(({ message }) => message).join('\n'));
  return JSON.stringify(parsed.dashboard);
}
