import { RUN_REASONS, RUN_STATUSES, RUN_TRANSITIONS } from '../../../src/modules/runs/run.ts';
import { code, pageHead, table } from './markdown.ts';

const INTRO = `The \`status\` of a run, and the states that it can change to. A run whose state has no next one has ended for good: a rerun is a new run. From \`running\` back to \`queued\` is a retry, or an executor that was lost. What the states and reasons mean: [jobs and runs](../jobs.md#runs).`;

export function runsPage(): string {
  const rows = RUN_STATUSES.map((name) => [
    code(name),
    RUN_TRANSITIONS[name].map(code).join(', ') || 'none: it has ended',
  ]);
  return [
    pageHead('Run states', INTRO),
    table(['status', 'next'], rows),
    `\n## Reasons\n\nThe \`reason\` of a run says why it is in its state: ${RUN_REASONS.map(code).join(', ')}.\n`,
  ].join('');
}
