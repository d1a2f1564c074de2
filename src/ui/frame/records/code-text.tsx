import type { ReactNode } from 'react';

interface CodeTextProps {
  readonly label: string;
  readonly children: ReactNode;
}

/** Text as it is, in a box that scrolls where it is long. */
export function CodeText({ label, children }: CodeTextProps): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it may scroll
    <section className="code-block code-text" aria-label={label} tabIndex={0}>
      <pre>{children}</pre>
    </section>
  );
}
