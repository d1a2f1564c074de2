import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  lazyRouteComponent,
  notFound,
  redirect,
} from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiError } from '../../client/api-error.ts';
import type { Client } from '../../client/create-client.ts';
import { AppShell } from '../frame/layout/app-shell.tsx';
import { Placeholder } from '../frame/layout/loaded.tsx';
import { NotFound } from '../frame/layout/not-found.tsx';
import { Problem } from '../frame/layout/problem.tsx';
import { meQuery, type Session } from '../frame/session/session.ts';
import { connectorSearch, connectorsSearch } from '../screens/connectors/connector-searches.ts';
import { jobSearch, jobsSearch } from '../screens/jobs/job-searches.ts';
import { lettersSearch } from '../screens/letters/letter-searches.ts';
import { jobRunSearch, logSearch, runsSearch } from '../screens/runs/run-searches.ts';
import { taskSearch, tasksSearch } from '../screens/tasks/task-searches.ts';

export interface RouterContext {
  readonly api: Client;
  readonly client: QueryClient;
  readonly session: Session;
}

const placeholderMs = 300;
const placeholderLines = 6;

const root = createRootRouteWithContext<RouterContext>()({ notFoundComponent: NotFound });

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: ({ next }: Record<string, unknown>): { next?: string } =>
    typeof next === 'string' ? { next } : {},
  component: lazyRouteComponent(() => import('../screens/sign-in/sign-in-screen.tsx'), 'SignInScreen'),
});

const setUp = createRoute({
  getParentRoute: () => root,
  path: '/set-up',
  component: lazyRouteComponent(() => import('../screens/set-up/set-up-screen.tsx'), 'SetUpScreen'),
});

/** Everything but signing in: its screens are shown to those who are signed in. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ context, location }) => {
    if (await isSignedIn(context)) return;
    if ((await context.api.GET('/api/auth/setup')).setup_required) throw redirect({ to: '/set-up' });
    throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { next: location.href } });
  },
  component: AppShell,
});

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  component: lazyRouteComponent(() => import('../screens/home/home-screen.tsx'), 'HomeScreen'),
});

const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  component: lazyRouteComponent(() => import('../screens/account/account-screen.tsx'), 'AccountScreen'),
});

/** A filter of a list is part of its address. */
const runs = createRoute({
  getParentRoute: () => signedIn,
  path: '/runs',
  validateSearch: runsSearch,
  component: lazyRouteComponent(() => import('../screens/runs/list/runs-screen.tsx'), 'RunsScreen'),
});

const jobRun = createRoute({
  getParentRoute: () => signedIn,
  path: '/job-runs/$id',
  validateSearch: jobRunSearch,
  beforeLoad: ({ params }) => requireId(params.id),
  component: lazyRouteComponent(() => import('../screens/runs/job-run/job-run-screen.tsx'), 'JobRunScreen'),
});

const run = createRoute({
  getParentRoute: () => signedIn,
  path: '/runs/$id',
  validateSearch: logSearch,
  beforeLoad: ({ params }) => requireId(params.id),
  component: lazyRouteComponent(() => import('../screens/runs/run/run-screen.tsx'), 'RunScreen'),
});

const letters = createRoute({
  getParentRoute: () => signedIn,
  path: '/dead-letters',
  validateSearch: lettersSearch,
  component: lazyRouteComponent(() => import('../screens/letters/letters-screen.tsx'), 'LettersScreen'),
});

const connectors = createRoute({
  getParentRoute: () => signedIn,
  path: '/connectors',
  validateSearch: connectorsSearch,
  component: lazyRouteComponent(
    () => import('../screens/connectors/connectors-screen.tsx'),
    'ConnectorsScreen',
  ),
});

const newConnector = createRoute({
  getParentRoute: () => signedIn,
  path: '/connectors/new',
  validateSearch: ({ type }: Record<string, unknown>): { type?: string } =>
    typeof type === 'string' ? { type } : {},
  component: lazyRouteComponent(
    () => import('../screens/connectors/new-connector-screen.tsx'),
    'NewConnectorScreen',
  ),
});

const connector = createRoute({
  getParentRoute: () => signedIn,
  path: '/connectors/$id',
  validateSearch: connectorSearch,
  beforeLoad: ({ params }) => requireId(params.id),
  component: lazyRouteComponent(
    () => import('../screens/connectors/connector-screen.tsx'),
    'ConnectorScreen',
  ),
});

const jobs = createRoute({
  getParentRoute: () => signedIn,
  path: '/jobs',
  validateSearch: jobsSearch,
  component: lazyRouteComponent(() => import('../screens/jobs/list/jobs-screen.tsx'), 'JobsScreen'),
});

const newJob = createRoute({
  getParentRoute: () => signedIn,
  path: '/jobs/new',
  validateSearch: (search: Record<string, unknown>): { template?: number } => {
    const { template } = jobsSearch(search);
    return template === undefined ? {} : { template };
  },
  component: lazyRouteComponent(() => import('../screens/jobs/new-job-screen.tsx'), 'NewJobScreen'),
});

const job = createRoute({
  getParentRoute: () => signedIn,
  path: '/jobs/$id',
  validateSearch: jobSearch,
  beforeLoad: ({ params }) => requireId(params.id),
  component: lazyRouteComponent(() => import('../screens/jobs/job/job-screen.tsx'), 'JobScreen'),
});

const tasks = createRoute({
  getParentRoute: () => signedIn,
  path: '/tasks',
  validateSearch: tasksSearch,
  component: lazyRouteComponent(() => import('../screens/tasks/tasks-screen.tsx'), 'TasksScreen'),
});

const newTask = createRoute({
  getParentRoute: () => signedIn,
  path: '/tasks/new',
  component: lazyRouteComponent(() => import('../screens/tasks/new-task-screen.tsx'), 'NewTaskScreen'),
});

const task = createRoute({
  getParentRoute: () => signedIn,
  path: '/tasks/$id',
  validateSearch: taskSearch,
  beforeLoad: ({ params }) => requireId(params.id),
  component: lazyRouteComponent(() => import('../screens/tasks/task/task-screen.tsx'), 'TaskScreen'),
});

const routeTree = root.addChildren([
  signIn,
  setUp,
  signedIn.addChildren([
    home,
    runs,
    jobRun,
    run,
    letters,
    connectors,
    newConnector,
    connector,
    account,
    jobs,
    newJob,
    job,
    tasks,
    newTask,
    task,
  ]),
]);

/** Every address of the page. Screens are files of their own, fetched when a link to them is pointed at or followed. */
export function createAppRouter(context: RouterContext) {
  return createRouter({
    routeTree,
    context,
    defaultPreload: 'intent',
    // Queries decide themselves what is fresh.
    defaultPreloadStaleTime: 0,
    defaultPendingMs: placeholderMs,
    defaultPendingComponent: () => <Placeholder lines={placeholderLines} />,
    defaultErrorComponent: ScreenProblem,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}

function ScreenProblem({ error, reset }: ErrorComponentProps): ReactNode {
  return <Problem error={error instanceof Error ? error : new Error(String(error))} onRetry={reset} />;
}

/** What is no number of a record leads nowhere. */
function requireId(id: string): void {
  if (!/^[1-9]\d{0,14}$/.test(id)) throw notFound();
}

async function isSignedIn({ api, client, session }: RouterContext): Promise<boolean> {
  if (!session.mayBeSignedIn()) return false;
  try {
    await client.ensureQueryData(meQuery(api));
    return true;
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 401)) throw error;
    session.remember(false);
    return false;
  }
}
