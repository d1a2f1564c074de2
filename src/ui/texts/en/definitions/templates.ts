/** Job templates and the dashboard templates that belong to them. */
export const templates = {
  title: 'Job templates',
  new: 'New job template',
  none: 'No job templates yet',
  noMatches: 'No job templates match these filters',
  views: { yaml: 'Overview', edit: 'Edit', versions: 'Versions', jobs: 'Jobs', dashboards: 'Dashboards' },
  verbHints: {
    archive: 'No new jobs can be created from it. Its jobs continue to run.',
    activate: 'New jobs can be created from it again.',
    remove:
      'Its versions and dashboard templates are deleted as well. A template that has jobs can only be archived.',
  },
  noJobs: 'No jobs yet',
  behind: (has: number, newest: number) => `${has}, upgrade to ${newest}`,
  newDashboard: 'New dashboard template',
  noDashboards: 'It has no dashboard templates: its jobs get no dashboard',
  dashboardViews: { yaml: 'YAML', edit: 'Edit', push: 'Update dashboards' },
  linked: (count: number) => (count === 1 ? '1 linked dashboard' : `${count} linked dashboards`),
  dashboardVerbHints: {
    archive: 'New jobs get no dashboard from it. Existing dashboards stay.',
    activate: 'New jobs get a dashboard from it again.',
    remove: 'Dashboards created from it stay, but are no longer linked to it.',
  },
};
