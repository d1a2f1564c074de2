import { createRoute, redirect } from '@tanstack/react-router';
import { auditSearch, metricsSearch, nameSearch } from '../screens/admin/admin-searches.ts';
import { lazyScreen } from './lazy-screen.ts';
import { requireId, signedIn } from './signed-in-route.ts';

const admin = createRoute({
  getParentRoute: () => signedIn,
  path: '/admin',
  beforeLoad: () => {
    throw redirect({ to: '/admin/users' });
  },
});

const users = createRoute({
  getParentRoute: () => signedIn,
  path: '/admin/users',
  validateSearch: nameSearch,
  component: lazyScreen(() => import('../screens/admin/users/users-screen.tsx'), 'UsersScreen'),
});

const apiKeys = createRoute({
  getParentRoute: () => signedIn,
  path: '/admin/api-keys',
  component: lazyScreen(() => import('../screens/admin/keys/api-keys-screen.tsx'), 'ApiKeysScreen'),
});

const executors = createRoute({
  getParentRoute: () => signedIn,
  path: '/admin/executors',
  component: lazyScreen(() => import('../screens/admin/executors/executors-screen.tsx'), 'ExecutorsScreen'),
});

const executor = createRoute({
  getParentRoute: () => signedIn,
  path: '/admin/executors/$id',
  beforeLoad: ({ params }) => requireId(params.id),
  component: lazyScreen(() => import('../screens/admin/executors/executor-screen.tsx'), 'ExecutorScreen'),
});

const queue = createRoute({
  getParentRoute: () => signedIn,
  path: '/admin/queue',
  component: lazyScreen(() => import('../screens/admin/queue/queue-screen.tsx'), 'QueueScreen'),
});

const channels = createRoute({
  getParentRoute: () => signedIn,
  path: '/admin/notifications',
  component: lazyScreen(() => import('../screens/admin/notifications/channels-screen.tsx'), 'ChannelsScreen'),
});

const channel = createRoute({
  getParentRoute: () => signedIn,
  path: '/admin/notifications/$id',
  beforeLoad: ({ params }) => requireId(params.id),
  component: lazyScreen(() => import('../screens/admin/notifications/channel-screen.tsx'), 'ChannelScreen'),
});

const webhooks = createRoute({
  getParentRoute: () => signedIn,
  path: '/admin/webhooks',
  component: lazyScreen(() => import('../screens/admin/webhooks/webhooks-screen.tsx'), 'WebhooksScreen'),
});

const webhook = createRoute({
  getParentRoute: () => signedIn,
  path: '/admin/webhooks/$id',
  beforeLoad: ({ params }) => requireId(params.id),
  component: lazyScreen(() => import('../screens/admin/webhooks/webhook-screen.tsx'), 'WebhookScreen'),
});

const metrics = createRoute({
  getParentRoute: () => signedIn,
  path: '/admin/metrics',
  validateSearch: metricsSearch,
  component: lazyScreen(() => import('../screens/admin/metrics/metrics-screen.tsx'), 'MetricsScreen'),
});

const bundles = createRoute({
  getParentRoute: () => signedIn,
  path: '/admin/bundles',
  component: lazyScreen(() => import('../screens/admin/bundles/bundles-screen.tsx'), 'BundlesScreen'),
});

const aiReferences = createRoute({
  getParentRoute: () => signedIn,
  path: '/admin/ai-references',
  validateSearch: nameSearch,
  component: lazyScreen(
    () => import('../screens/admin/references/references-screen.tsx'),
    'ReferencesScreen',
  ),
});

const audit = createRoute({
  getParentRoute: () => signedIn,
  path: '/admin/audit',
  validateSearch: auditSearch,
  component: lazyScreen(() => import('../screens/admin/audit/audit-screen.tsx'), 'AuditScreen'),
});

const settings = createRoute({
  getParentRoute: () => signedIn,
  path: '/admin/settings',
  component: lazyScreen(() => import('../screens/admin/settings/settings-screen.tsx'), 'SettingsScreen'),
});

const about = createRoute({
  getParentRoute: () => signedIn,
  path: '/admin/about',
  component: lazyScreen(() => import('../screens/admin/settings/about-screen.tsx'), 'AboutScreen'),
});

/** What administrators look after. */
export const adminRoutes = [
  admin,
  users,
  apiKeys,
  executors,
  executor,
  queue,
  channels,
  channel,
  webhooks,
  webhook,
  metrics,
  bundles,
  aiReferences,
  audit,
  settings,
  about,
] as const;
