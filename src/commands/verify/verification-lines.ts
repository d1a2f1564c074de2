import type { RunOutcome, Verification } from '../../base/run-report.ts';
import { formatCount } from '../../base/text/format-figures.ts';
import { printable } from '../kit/command-output.ts';
import { layOutTable } from '../kit/text/lay-out-table.ts';

/** What comparisons of the run have found: a table of the rows that differ, for each of them. */
export function verificationLines(steps: RunOutcome['steps']): readonly string[] {
  return steps.flatMap(({ verification }) => (verification === undefined ? [] : linesOf(verification)));
}

function linesOf(found: Verification): readonly string[] {
  const { source, target, differences, left_out: leftOut, sample } = found;
  const counts = [
    ['', 'rows', 'differing', 'missing', 'surplus'],
    [`${source}`, formatCount(found.rows_source), '', '', ''],
    [
      `${target}`,
      formatCount(found.rows_target),
      formatCount(found.differing),
      formatCount(found.missing),
      formatCount(found.surplus),
    ],
  ];
  const total = found.differing + found.missing + found.surplus;
  const rows = differences.flatMap(({ kind, key, columns }) => {
    const name = Object.entries(key)
      .map(([column, value]) => `${column}=${shown(value)}`)
      .join(', ');
    if (columns.length === 0) return [[name, kind, '', '', '']];
    return columns.map((cell) => [name, kind, cell.column, shown(cell.source), shown(cell.target)]);
  });
  const head = ['row', 'difference', 'column', 'source', 'target'];
  return [
    '',
    ...layOutTable(counts, 1),
    ...(rows.length === 0 ? [] : ['', ...layOutTable([head, ...rows], head.length)]),
    ...(total > differences.length && differences.length > 0
      ? [`… and ${formatCount(total - differences.length)} more rows`]
      : []),
    ...(found.reloaded > 0 ? [`${formatCount(found.reloaded)} rows were loaded again`] : []),
    ...(sample === null ? [] : [`A sample of ${sample * 100} % of the keys was compared`]),
    ...(leftOut.length === 0 ? [] : [`Not compared: ${leftOut.map(printable).join(', ')}`]),
  ];
}

function shown(value: string | null): string {
  return value === null ? 'null' : printable(JSON.stringify(value).slice(1, -1));
}
