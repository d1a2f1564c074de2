import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';

/** Stands where a widget has data to show, but there is none. */
export function EmptyState({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <div className="empty">
      <Icon name="empty" size={20} />
      <p>{children}</p>
    </div>
  );
}
