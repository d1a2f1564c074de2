import { createRoute } from '@tanstack/react-router';
import { definitionSearch } from '../frame/definitions/definition-search.ts';
import { dashboardSearch, dashboardsSearch } from '../screens/dashboards/dashboard-searches.ts';
import { taskSearch } from '../screens/tasks/task-searches.ts';
import {
  dashboardTemplateSearch,
  newTemplateSearch,
  templateSearch,
} from '../screens/templates/template-searches.ts';
import { lazyScreen } from './lazy-screen.ts';
import { requireId, signedIn } from './signed-in-route.ts';

const tasks = createRoute({
  getParentRoute: () => signedIn,
  path: '/tasks',
  validateSearch: definitionSearch,
  component: lazyScreen(() => import('../screens/tasks/tasks-screen.tsx'), 'TasksScreen'),
});

const newTask = createRoute({
  getParentRoute: () => signedIn,
  path: '/tasks/new',
  component: lazyScreen(() => import('../screens/tasks/new-task-screen.tsx'), 'NewTaskScreen'),
});

const task = createRoute({
  getParentRoute: () => signedIn,
  path: '/tasks/$id',
  validateSearch: taskSearch,
  beforeLoad: ({ params }) => requireId(params.id),
  component: lazyScreen(() => import('../screens/tasks/task/task-screen.tsx'), 'TaskScreen'),
});

const templates = createRoute({
  getParentRoute: () => signedIn,
  path: '/templates',
  validateSearch: definitionSearch,
  component: lazyScreen(() => import('../screens/templates/templates-screen.tsx'), 'TemplatesScreen'),
});

const newTemplate = createRoute({
  getParentRoute: () => signedIn,
  path: '/templates/new',
  validateSearch: newTemplateSearch,
  component: lazyScreen(() => import('../screens/templates/new-template-screen.tsx'), 'NewTemplateScreen'),
});

const template = createRoute({
  getParentRoute: () => signedIn,
  path: '/templates/$id',
  validateSearch: templateSearch,
  beforeLoad: ({ params }) => requireId(params.id),
  component: lazyScreen(() => import('../screens/templates/template/template-screen.tsx'), 'TemplateScreen'),
});

const newDashboardTemplate = createRoute({
  getParentRoute: () => signedIn,
  path: '/templates/$id/new-dashboard',
  beforeLoad: ({ params }) => requireId(params.id),
  component: lazyScreen(
    () => import('../screens/templates/dashboard-template/new-dashboard-template-screen.tsx'),
    'NewDashboardTemplateScreen',
  ),
});

const dashboardTemplate = createRoute({
  getParentRoute: () => signedIn,
  path: '/dashboard-templates/$id',
  validateSearch: dashboardTemplateSearch,
  beforeLoad: ({ params }) => requireId(params.id),
  component: lazyScreen(
    () => import('../screens/templates/dashboard-template/dashboard-template-screen.tsx'),
    'DashboardTemplateScreen',
  ),
});

const dashboards = createRoute({
  getParentRoute: () => signedIn,
  path: '/dashboards',
  validateSearch: dashboardsSearch,
  component: lazyScreen(() => import('../screens/dashboards/dashboards-screen.tsx'), 'DashboardsScreen'),
});

const dashboard = createRoute({
  getParentRoute: () => signedIn,
  path: '/dashboards/$id',
  validateSearch: dashboardSearch,
  beforeLoad: ({ params }) => requireId(params.id),
  component: lazyScreen(
    () => import('../screens/dashboards/dashboard/dashboard-screen.tsx'),
    'DashboardScreen',
  ),
});

/** What is written as YAML, and the dashboards. */
export const definitionRoutes = [
  tasks,
  newTask,
  task,
  templates,
  newTemplate,
  template,
  newDashboardTemplate,
  dashboardTemplate,
  dashboards,
  dashboard,
] as const;
