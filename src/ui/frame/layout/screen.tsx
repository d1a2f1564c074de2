import { type ReactNode, useEffect } from 'react';
import { useProductName } from '../state/branding-query.ts';

interface ScreenProps {
  /** The only first-level heading, and the title of the browser's tab. */
  readonly title: string;
  /** Above the title, such as where this belongs. */
  readonly above?: ReactNode;
  /** Below the title: state, times and other facts. */
  readonly facts?: ReactNode;
  /** Buttons that concern the whole screen. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of each screen's content. */
export function Screen({ title, above, facts, actions, children }: ScreenProps): ReactNode {
  const product = useProductName();
  useEffect(() => {
    document.title = `${title} · ${product}`;
  }, [title, product]);
  return (
    <div className="screen">
      <header className="screen-head">
        <div className="screen-title">
          {above}
          <h1>{title}</h1>
          {facts}
        </div>
        {actions !== undefined && <div className="screen-actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}
