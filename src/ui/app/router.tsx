import { createRoute, createRouter, type ErrorComponentProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Placeholder } from '../frame/layout/loaded.tsx';
import { MissingScreen } from '../frame/layout/missing-screen.tsx';
import { Problem } from '../frame/layout/problem.tsx';
import { MissingFile } from '../frame/state/page-files.ts';
import { connectorSearch, connectorsSearch } from '../screens/connectors/connector-searches.ts';
import { kioskSearch } from '../screens/dashboards/kiosk/kiosk-search.ts';
import { homeSearch } from '../screens/home/home-search.ts';
import { jobSearch, jobsSearch } from '../screens/jobs/job-searches.ts';
import { lettersSearch } from '../screens/letters/letter-searches.ts';
import { jobRunSearch, logSearch, runsSearch } from '../screens/runs/run-searches.ts';
import { adminRoutes } from './admin-routes.ts';
import { definitionRoutes } from './definition-routes.ts';
import { lazyScreen } from './lazy-screen.ts';
import { type RouterContext, requireId, requireSession, root, signedIn } from './signed-in-route.ts';

const placeholderMs = 300;
const placeholderLines = 6;

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: ({ next }: Record<string, unknown>): { next?: string } =>
    typeof next === 'string' ? { next } : {},
  component: lazyScreen(() => import('../screens/sign-in/sign-in-screen.tsx'), 'SignInScreen'),
});

const setUp = createRoute({
  getParentRoute: () => root,
  path: '/set-up',
  component: lazyScreen(() => import('../screens/set-up/set-up-screen.tsx'), 'SetUpScreen'),
});

/** Dashboards on a wall display, without the frame of the other screens. */
const kiosk = createRoute({
  getParentRoute: () => root,
  path: '/kiosk',
  validateSearch: kioskSearch,
  beforeLoad: ({ context, location }) => requireSession(context, location.href),
  component: lazyScreen(() => import('../screens/dashboards/kiosk/kiosk-screen.tsx'), 'KioskScreen'),
});

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  validateSearch: homeSearch,
  component: lazyScreen(() => import('../screens/home/home-screen.tsx'), 'HomeScreen'),
});

const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  component: lazyScreen(() => import('../screens/account/account-screen.tsx'), 'AccountScreen'),
});

/** A filter of a list is part of its address. */
const runs = createRoute({
  getParentRoute: () => signedIn,
  path: '/runs',
  validateSearch: runsSearch,
  component: lazyScreen(() => import('../screens/runs/list/runs-screen.tsx'), 'RunsScreen'),
});

const jobRun = createRoute({
  getParentRoute: () => signedIn,
  path: '/job-runs/$id',
  validateSearch: jobRunSearch,
  beforeLoad: ({ params }) => requireId(params.id),
  component: lazyScreen(() => import('../screens/runs/job-run/job-run-screen.tsx'), 'JobRunScreen'),
});

const run = createRoute({
  getParentRoute: () => signedIn,
  path: '/runs/$id',
  validateSearch: logSearch,
  beforeLoad: ({ params }) => requireId(params.id),
  component: lazyScreen(() => import('../screens/runs/run/run-screen.tsx'), 'RunScreen'),
});

const letters = createRoute({
  getParentRoute: () => signedIn,
  path: '/dead-letters',
  validateSearch: lettersSearch,
  component: lazyScreen(() => import('../screens/letters/letters-screen.tsx'), 'LettersScreen'),
});

const connectors = createRoute({
  getParentRoute: () => signedIn,
  path: '/connectors',
  validateSearch: connectorsSearch,
  component: lazyScreen(() => import('../screens/connectors/connectors-screen.tsx'), 'ConnectorsScreen'),
});

const newConnector = createRoute({
  getParentRoute: () => signedIn,
  path: '/connectors/new',
  validateSearch: ({ type }: Record<string, unknown>): { type?: string } =>
    typeof type === 'string' ? { type } : {},
  component: lazyScreen(() => import('../screens/connectors/new-connector-screen.tsx'), 'NewConnectorScreen'),
});

const connector = createRoute({
  getParentRoute: () => signedIn,
  path: '/connectors/$id',
  validateSearch: connectorSearch,
  beforeLoad: ({ params }) => requireId(params.id),
  component: lazyScreen(() => import('../screens/connectors/connector-screen.tsx'), 'ConnectorScreen'),
});

const jobs = createRoute({
  getParentRoute: () => signedIn,
  path: '/jobs',
  validateSearch: jobsSearch,
  component: lazyScreen(() => import('../screens/jobs/list/jobs-screen.tsx'), 'JobsScreen'),
});

const newJob = createRoute({
  getParentRoute: () => signedIn,
  path: '/jobs/new',
  validateSearch: (search: Record<string, unknown>): { template?: number } => {
    const { template } = jobsSearch(search);
    return template === undefined ? {} : { template };
  },
  component: lazyScreen(() => import('../screens/jobs/new-job-screen.tsx'), 'NewJobScreen'),
});

const job = createRoute({
  getParentRoute: () => signedIn,
  path: '/jobs/$id',
  validateSearch: jobSearch,
  beforeLoad: ({ params }) => requireId(params.id),
  component: lazyScreen(() => import('../screens/jobs/job/job-screen.tsx'), 'JobScreen'),
});

const routeTree = root.addChildren([
  signIn,
  setUp,
  kiosk,
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
    ...definitionRoutes,
    ...adminRoutes,
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
    defaultPendingComponent: () => (
      <div className="screen-pending">
        <Placeholder lines={placeholderLines} />
      </div>
    ),
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
  if (error instanceof MissingFile) return <MissingScreen />;
  return <Problem error={error instanceof Error ? error : new Error(String(error))} onRetry={reset} />;
}
