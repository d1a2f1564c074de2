import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Icon, type IconName } from '../../kit/icon.tsx';
import { useTexts } from '../../texts/texts-context.tsx';

interface NavigationProps {
  /** Called when an entry was chosen. */
  onChoose(): void;
}

interface Entry {
  readonly to: NonNullable<LinkProps['to']>;
  readonly icon: IconName;
  readonly label: string;
}

/** The screens of the page: each new one has its entry here. */
export function Navigation({ onChoose }: NavigationProps): ReactNode {
  const { frame } = useTexts();
  const entries: readonly Entry[] = [
    { to: '/', icon: 'home', label: frame.home },
    { to: '/runs', icon: 'runs', label: frame.runs },
    { to: '/jobs', icon: 'calendar', label: frame.jobs },
    { to: '/tasks', icon: 'book', label: frame.tasks },
    { to: '/dead-letters', icon: 'empty', label: frame.letters },
    { to: '/connectors', icon: 'link', label: frame.connectors },
  ];
  return (
    <ul className="navigation">
      {entries.map(({ to, icon, label }) => (
        <li key={to}>
          <Link to={to} activeOptions={{ exact: to === '/', includeSearch: false }} onClick={onChoose}>
            <Icon name={icon} />
            {label}
          </Link>
        </li>
      ))}
    </ul>
  );
}
