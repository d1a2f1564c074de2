import type { Texts } from '../en/texts.ts';
import { account } from './account.ts';
import { bundles } from './admin/bundles.ts';
import { executors } from './admin/executors.ts';
import { metrics } from './admin/metrics.ts';
import { references } from './admin/references.ts';
import { admin } from './admin.ts';
import { connectors } from './connectors.ts';
import { dashboards } from './definitions/dashboards.ts';
import { editor } from './definitions/editor.ts';
import { filters } from './definitions/filters.ts';
import { generate } from './definitions/generate.ts';
import { tasks } from './definitions/tasks.ts';
import { templates } from './definitions/templates.ts';
import { enrolment } from './enrolment.ts';
import { frame } from './frame.ts';
import { home } from './home.ts';
import { jobs } from './jobs.ts';
import { letters } from './letters.ts';
import { log } from './log.ts';
import { palette } from './palette.ts';
import { run } from './run.ts';
import { runs } from './runs.ts';
import { setUp } from './set-up.ts';
import { signIn } from './sign-in.ts';
import { inputs } from './widgets/inputs.ts';
import { widgets } from './widgets/widgets.ts';

/** German. */
export const texts: Texts = {
  account,
  admin,
  bundles,
  connectors,
  dashboards,
  editor,
  enrolment,
  executors,
  filters,
  generate,
  frame,
  home,
  inputs,
  jobs,
  letters,
  log,
  metrics,
  palette,
  references,
  run,
  runs,
  setUp,
  signIn,
  tasks,
  templates,
  widgets,
};
