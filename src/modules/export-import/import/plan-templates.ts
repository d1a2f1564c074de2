import type { TemplateInfo } from '../../../threads/messages/definition-info.ts';
import { type NamedTask, nodeProblems } from '../../job-templates/node-problems.ts';
import { takeFreeName } from './free-name.ts';
import type { Target } from './import-target.ts';
import type { ImportOptions, ParsedBundle } from './plan-input.ts';
import {
  type DashboardItem,
  type Decision,
  decide,
  decision,
  isWritten,
  type TemplateItem,
} from './plan-item.ts';
import { isSame, noSuchType, takenNames, UNPARSED, withProblems } from './plan-text.ts';

/** The state after the import. */
export interface After {
  readonly tasks: ReadonlyMap<string, NamedTask>;
  readonly types: ReadonlySet<string>;
  readonly isKnown: (type: string) => boolean;
}

export function planTemplates(
  { bundle, templates }: ParsedBundle,
  options: ImportOptions,
  target: Target,
  after: After,
): TemplateItem[] {
  const taken = takenNames(target.templates, bundle.job_templates);
  return bundle.job_templates.map((definition) => {
    const { name } = definition;
    const parsed = templates.get(definition) ?? UNPARSED;
    const existing = target.templates.get(name) ?? null;
    const wanted = decide(options.conflict, {
      noun: 'job template',
      name,
      exists: existing !== null,
      same: isSame(existing, definition, parsed),
      rename: () => takeFreeName(name, taken),
    });
    const settled = withProblems(wanted, parsed, []);
    const fit = parsed.ok && isWritten(settled) ? fitted(settled, parsed.info, options, after) : settled;
    return { kind: 'job_template', name, definition, parsed, existing, ...fit };
  });
}

/** Whether the template's needs will be met. */
function fitted(
  wanted: Decision,
  info: TemplateInfo,
  { connectorMissing }: ImportOptions,
  after: After,
): Decision {
  const { missing, mismatched } = nodeProblems(info, [...after.tasks.values()]);
  const connectors = Object.entries(info.connectors);
  const unknown = connectors
    .filter(([, { type }]) => !after.isKnown(type))
    .map(([name, { type }]) => noSuchType(type, `connectors.${name}`));
  const without = connectors
    .filter(([, { type, required }]) => required && after.isKnown(type) && !after.types.has(type))
    .map(([name, { type }]) => ({
      path: `connectors.${name}`,
      message: `There is no connector of the type "${type}" here: a job of the template needs one`,
    }));
  const lacking = [...missing, ...unknown, ...(connectorMissing === 'fail' ? without : [])];
  if (lacking.length > 0) return decision('missing_dependency', [...lacking, ...mismatched]);
  if (mismatched.length > 0) return decision('invalid', mismatched);
  return { ...wanted, warnings: [...wanted.warnings, ...without] };
}

export function planDashboards(
  template: TemplateItem,
  { dashboards }: ParsedBundle,
  { conflict }: ImportOptions,
  target: Target,
): DashboardItem[] {
  // Under a new template, even a renamed one, they are all new.
  const parent = template.action === 'create' ? null : template.existing;
  const rows = parent === null ? [] : (target.dashboards.get(parent.id) ?? []);
  const bundled = template.definition.dashboard_templates;
  const taken = takenNames(new Map(rows.map((row) => [row.name, row])), bundled);
  return bundled.map((definition) => {
    const { name } = definition;
    const [existing = null, ...others] = rows.filter((row) => row.name === name);
    const same =
      existing !== null &&
      existing.yaml_content === definition.yaml &&
      existing.description === (definition.description ?? null);
    const problems = dashboards.get(definition) ?? [];
    const settled = (): Decision => {
      if (others.length > 0) {
        const message = `The job template "${template.name}" has ${others.length + 1} dashboard templates "${name}": rename all but one`;
        return decision('conflict', [{ path: 'name', message }]);
      }
      const rename = () => takeFreeName(name, taken);
      const wanted = decide(conflict, {
        noun: 'dashboard template',
        name,
        exists: existing !== null,
        same,
        rename,
      });
      return isWritten(wanted) && problems.length > 0 ? decision('invalid', problems) : wanted;
    };
    return { kind: 'dashboard_template', name, definition, template, existing, ...settled() };
  });
}
