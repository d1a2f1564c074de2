import { apiPage } from './api-page.ts';
import { cliPage } from './cli-page.ts';
import { connectorsPage } from './connectors-page.ts';
import { dashboardPage, jobTemplatePage } from './document-pages.ts';
import { errorsPage } from './errors-page.ts';
import { metricsPage } from './metrics-page.ts';
import { runsPage } from './runs-page.ts';
import { settingsPage } from './settings-page.ts';
import { webhooksPage } from './webhooks-page.ts';

/** The pages of `docs/reference/` that are made from the code, by their names. */
export const REFERENCE_PAGES: Readonly<Record<string, () => string>> = {
  'api.md': apiPage,
  'cli.md': cliPage,
  'connectors.md': connectorsPage,
  'dashboard.md': dashboardPage,
  'errors.md': errorsPage,
  'job-template.md': jobTemplatePage,
  'metrics.md': metricsPage,
  'runs.md': runsPage,
  'settings.md': settingsPage,
  'webhook-events.md': webhooksPage,
};
