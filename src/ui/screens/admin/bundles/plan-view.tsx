import type { ReactNode } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { DiffText } from '../../../frame/records/diff-text.tsx';
import { ListHead } from '../../../frame/records/list-head.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import { wordOf } from '../../../texts/word-of.ts';
import { PlaceList } from './where-problem.tsx';

export type ImportPlan = components['schemas']['ImportAnswer'];
type Item = ImportPlan['items'][number];

const tones: Readonly<Record<Item['action'], string | undefined>> = {
  create: 'success',
  update: 'warning',
  unchanged: undefined,
  skip: undefined,
  conflict: 'danger',
  missing_dependency: 'danger',
  invalid: 'danger',
};

/** What an import would do, a line for each definition, with its difference and what is wrong with it. */
export function PlanView({ plan }: { readonly plan: ImportPlan }): ReactNode {
  const { bundles, runs } = useTexts();
  return (
    <table className="list run-list" aria-label={bundles.import.plan}>
      <ListHead columns={[{ label: runs.status }, { label: bundles.import.plan }]} />
      <tbody>
        {plan.items.map((item) => (
          <tr key={`${item.kind} ${item.job_template} ${item.name}`}>
            <td>
              <span className="status" data-tone={tones[item.action]}>
                {wordOf(bundles.import.actions, item.action)}
              </span>
            </td>
            <td>
              <ItemView item={item} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function ItemView({ item }: { readonly item: Item }): ReactNode {
  const { kind, name, job_template, rename_to, version, action, diff, problems, warnings } = item;
  const texts = useTexts().bundles.import;
  const facts = [
    wordOf(texts.kinds, kind),
    ...(job_template === null ? [] : [texts.of(job_template)]),
    ...(rename_to === null ? [] : [texts.as(rename_to)]),
    ...(version === null || action === 'create' ? [] : [texts.version(version)]),
  ];
  return (
    <>
      <strong>{name}</strong>
      <p className="record-facts">{facts.join(' · ')}</p>
      <PlaceList problems={problems} />
      {warnings.length > 0 && <PlaceList title={texts.warning} problems={warnings} />}
      {diff !== '' && (
        <details>
          <summary>{texts.diff(name)}</summary>
          <DiffText label={texts.diff(name)} diff={diff} />
        </details>
      )}
    </>
  );
}
