import type { ReactNode } from 'react';
import { useCatalogue, useTexts } from '../../../texts/texts-context.tsx';
import type { RunStep } from './step-table.tsx';

type Verification = NonNullable<RunStep['verification']>;

/** What comparisons of the run's sources and targets have found; nothing for a run without any. */
export function Verifications({ steps }: { readonly steps: readonly RunStep[] }): ReactNode {
  return steps.map(({ step_id, verification }) =>
    verification === null ? null : <Found key={step_id} stepId={step_id} found={verification} />,
  );
}

function Found({ stepId, found }: { readonly stepId: string; readonly found: Verification }): ReactNode {
  const { run } = useTexts();
  const { locale } = useCatalogue();
  const number = new Intl.NumberFormat(locale);
  const id = `run-verification-${stepId.replaceAll('/', '-')}`;
  const { source, target, equal, rows_source, rows_target, differences } = found;
  const total = found.differing + found.missing + found.surplus;
  return (
    <section className="panel" aria-labelledby={id}>
      <h2 id={id}>{run.verified(source, target)}</h2>
      <p>
        {total === 0
          ? run.verifiedEqual(number.format(rows_source))
          : run.verifiedDiffers(equal, {
              source: number.format(rows_source),
              target: number.format(rows_target),
              differing: number.format(found.differing),
              missing: number.format(found.missing),
              surplus: number.format(found.surplus),
            })}
        {found.reloaded > 0 && ` ${run.verifiedReloaded(number.format(found.reloaded))}`}
        {found.settled > 0 && ` ${run.verifiedSettled(number.format(found.settled))}`}
        {found.sample !== null && ` ${run.verifiedSample(percent(found.sample, locale))}`}
      </p>
      {found.left_out.length > 0 && <p className="hint">{run.verifiedLeftOut(found.left_out.join(', '))}</p>}
      {differences.length > 0 && <Differences found={found} total={number.format(total)} />}
    </section>
  );
}

function percent(share: number, locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(share);
}

function Differences({ found, total }: { readonly found: Verification; readonly total: string }): ReactNode {
  const { run } = useTexts();
  const rows = found.differences.flatMap(({ kind, key, columns }, index) => {
    const name = Object.entries(key)
      .map(([column, value]) => `${column} ${value ?? run.verifiedNull}`)
      .join(', ');
    const cells = columns.length === 0 ? [null] : columns;
    return cells.map((cell, at) => ({ id: `${index}-${at}`, kind, name, cell }));
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section className="scroller" aria-label={run.differences} tabIndex={0}>
      <table className="list">
        <caption>{run.differencesListed(String(found.differences.length), total)}</caption>
        <thead>
          <tr>
            <th scope="col">{run.differenceKey}</th>
            <th scope="col">{run.difference}</th>
            <th scope="col">{run.column}</th>
            <th scope="col">{run.inSource}</th>
            <th scope="col">{run.inTarget}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, kind, name, cell }) => (
            <tr key={id}>
              <th scope="row">{name}</th>
              <td>{run.differenceKinds[kind]}</td>
              <td>{cell?.column}</td>
              <td>{cell === null ? '' : (cell.source ?? run.verifiedNull)}</td>
              <td>{cell === null ? '' : (cell.target ?? run.verifiedNull)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
