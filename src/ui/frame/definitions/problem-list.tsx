import type { ReactNode } from 'react';
import { useTexts } from '../../texts/texts-context.tsx';
import type { TextProblem } from './create-editor.ts';

interface ProblemListProps {
  /** Null: nobody has looked yet, or nobody can. */
  readonly problems: readonly TextProblem[] | null;
  onChoose(problem: TextProblem): void;
}

/** What is wrong with the text, each a way to its place. */
export function ProblemList({ problems, onChoose }: ProblemListProps): ReactNode {
  const { editor } = useTexts();
  return (
    <div className="text-problems">
      <p role="status" data-tone={toneOf(problems ?? [])}>
        {problems !== null && editor.problems(problems.length)}
      </p>
      {problems !== null && problems.length > 0 && (
        <ul aria-label={editor.problemList}>
          {problems.map((problem, index) => (
            <li
              data-tone={problem.isWarning ? 'warning' : undefined}
              // biome-ignore lint/suspicious/noArrayIndexKey: two may say the same of the same place
              key={index}
            >
              <button type="button" className="text-button" onClick={() => onChoose(problem)}>
                {problem.line === undefined ? problem.message : editor.at(problem.line, problem.message)}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function toneOf(problems: readonly TextProblem[]): string {
  if (problems.length === 0) return 'success';
  return problems.every(({ isWarning }) => isWarning) ? 'warning' : 'danger';
}
