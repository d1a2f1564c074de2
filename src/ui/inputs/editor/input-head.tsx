import type { ReactNode } from 'react';
import { Icon } from '../../kit/icon.tsx';

interface InputHeadProps {
  readonly title: string | null;
  readonly description: string | null;
  /** Why nothing can be changed; null if it can be. */
  readonly readonlyReason: string | null;
}

/** The head of a form or a mapping. */
export function InputHead({ title, description, readonlyReason }: InputHeadProps): ReactNode {
  return (
    <>
      {title !== null && <p className="input-title">{title}</p>}
      {description !== null && <p className="input-description">{description}</p>}
      {readonlyReason !== null && (
        <p className="input-readonly">
          <Icon name="lock" size={14} /> {readonlyReason}
        </p>
      )}
    </>
  );
}
