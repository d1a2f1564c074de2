import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';

/** Shown by a widget that has no data. */
export function EmptyState({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <div className="empty">
      <Icon name="empty" size={20} />
      <p>{children}</p>
    </div>
  );
}
