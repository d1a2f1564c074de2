import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTexts } from '../../texts/texts-context.tsx';
import { textsOf } from './label-text.ts';

interface LabelChipsProps {
  readonly labels: Readonly<Record<string, string>>;
  /** The screen that each leads to, narrowed to it. */
  readonly to: '/' | '/jobs' | '/runs';
  /** Of the runs there, those of tasks. */
  readonly kind?: 'tasks';
}

/** The labels of a job; each leads to what has it. */
export function LabelChips({ labels, to, kind }: LabelChipsProps): ReactNode {
  const { jobs } = useTexts();
  const texts = textsOf(labels);
  if (texts.length === 0) return null;
  return (
    <ul className="label-chips" aria-label={jobs.labels}>
      {texts.map((text) => (
        <li key={text}>
          <Link
            to={to}
            search={{ ...(kind && { kind }), label: [text] }}
            className="label-link"
            dir="auto"
            title={text}
          >
            {text}
          </Link>
        </li>
      ))}
    </ul>
  );
}
