import type { ReactNode } from 'react';
import { Icon, type IconName } from '../kit/icon.tsx';

interface MessagePageProps {
  readonly icon: IconName;
  readonly title: string;
  readonly children: ReactNode;
}

/** A page that consists of one message. */
export function MessagePage({ icon, title, children }: MessagePageProps): ReactNode {
  return (
    <main className="message-page">
      <span className="message-icon">
        <Icon name={icon} size={26} />
      </span>
      <h1>{title}</h1>
      {children}
    </main>
  );
}
