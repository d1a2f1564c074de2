import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { textsOf } from '../../../frame/labels/label-text.ts';
import { useTexts } from '../../../texts/texts-context.tsx';

/** The labels of a job; each leads to the jobs that have it. */
export function LabelChips({ labels }: { readonly labels: Readonly<Record<string, string>> }): ReactNode {
  const { jobs } = useTexts();
  const texts = textsOf(labels);
  if (texts.length === 0) return null;
  return (
    <ul className="label-chips" aria-label={jobs.labels}>
      {texts.map((text) => (
        <li key={text}>
          <Link to="/jobs" search={{ label: [text] }} className="label-link" dir="auto" title={text}>
            {text}
          </Link>
        </li>
      ))}
    </ul>
  );
}
