import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Screen } from '../../frame/layout/screen.tsx';
import { useMay } from '../../frame/session/role.ts';
import { useTexts } from '../../texts/texts-context.tsx';

interface AdminScreenProps {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of the screens that are for administrators; some of them others may look at too, without the links to the rest. */
export function AdminScreen({ title, actions, children }: AdminScreenProps): ReactNode {
  const { admin, bundles, executors, metrics, references } = useTexts();
  const isAdmin = useMay('admin');
  const isSuper = useMay('superadmin');
  return (
    <Screen
      title={title}
      above={<p className="screen-above">{admin.title}</p>}
      {...(actions !== undefined && { actions })}
    >
      {isAdmin && (
        <nav className="switch" aria-label={admin.title}>
          <Link to="/admin/users">{admin.users.title}</Link>
          <Link to="/admin/api-keys">{admin.apiKeys.title}</Link>
          <Link to="/admin/executors">{executors.title}</Link>
          <Link to="/admin/queue">{executors.queue.title}</Link>
          <Link to="/admin/notifications">{admin.channels.title}</Link>
          <Link to="/admin/webhooks">{admin.webhooks.title}</Link>
          <Link to="/admin/metrics">{metrics.title}</Link>
          <Link to="/admin/bundles">{bundles.title}</Link>
          <Link to="/admin/ai-references">{references.title}</Link>
          <Link to="/admin/audit">{admin.audit.title}</Link>
          {isSuper && <Link to="/admin/settings">{admin.settings.title}</Link>}
          <Link to="/admin/about">{admin.about.title}</Link>
        </nav>
      )}
      {children}
    </Screen>
  );
}
