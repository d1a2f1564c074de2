import type { ReactNode } from 'react';
import { CodeText } from './code-text.tsx';

/** A unified diff, its lines in the colours of what they say. */
export function DiffText({ label, diff }: { readonly label: string; readonly diff: string }): ReactNode {
  const lines = diff.trimEnd().split('\n');
  return (
    <CodeText label={label}>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text have no other identity
        <span key={index} className="diff-line" data-kind={kindOf(line, index)}>
          {`${line}\n`}
        </span>
      ))}
    </CodeText>
  );
}

function kindOf(line: string, index: number): string | undefined {
  // The names of both texts.
  if (index < 2 && /^(?:---|\+\+\+)(?: |$)/.test(line)) return 'place';
  if (line.startsWith('+')) return 'added';
  if (line.startsWith('-')) return 'removed';
  return line.startsWith('@@') ? 'place' : undefined;
}
