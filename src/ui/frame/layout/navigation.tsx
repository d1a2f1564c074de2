import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Icon, type IconName } from '../../kit/icon.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { useMay } from '../session/role.ts';

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
    { to: '/dashboards', icon: 'chart', label: frame.dashboards },
    { to: '/dead-letters', icon: 'empty', label: frame.letters },
    { to: '/connectors', icon: 'link', label: frame.connectors },
    { to: '/templates', icon: 'graph', label: frame.templates },
    { to: '/tasks', icon: 'book', label: frame.tasks },
    ...(useMay('admin') ? [{ to: '/admin', icon: 'users', label: frame.admin } as const] : []),
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
