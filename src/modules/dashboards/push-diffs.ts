import { setImmediate as nextTurn } from 'node:timers/promises';
import { diffCharsMax, textDiff } from '../../base/text-diff.ts';
import type { DashboardTemplateRow } from '../dashboard-templates/dashboard-template.ts';
import type { LinkedDashboard } from './dashboard-push-store.ts';

/** Of all diffs of one push together: what is above is cut, and what would take longer is shown as replaced. */
const CHARS_MAX = 5_000_000;
const COMPARE_MS = 1_000;

/**
 * The diffs of one push, from each dashboard's YAML to the template's. Dashboards of one text share its diff. Other requests get their
 * turn between two of them.
 */
export function createPushDiffs(template: DashboardTemplateRow) {
  const known = new Map<string, string>();
  let charsLeft = CHARS_MAX;
  let msLeft = COMPARE_MS;

  async function of(dashboard: LinkedDashboard): Promise<string> {
    const { yaml_content } = dashboard;
    const diff = known.get(yaml_content) ?? (await compare(yaml_content));
    known.set(yaml_content, diff);
    const kept =
      diff.length <= charsLeft ? diff : '\\ The diff was left out: the diffs of this push are too long\n';
    charsLeft -= Math.min(diff.length, charsLeft);
    return kept;
  }

  async function compare(yaml: string): Promise<string> {
    await nextTurn();
    const started = performance.now();
    const diff = textDiff(yaml, template.yaml_content, {
      from: 'dashboard',
      to: `template ${template.id}, version ${template.version}`,
      charsMax: Math.min(charsLeft, diffCharsMax),
      timeoutMs: Math.min(msLeft, 100),
    });
    msLeft -= performance.now() - started;
    return diff;
  }

  return { of };
}
