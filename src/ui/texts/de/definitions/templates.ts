import type { templates as english } from '../../en/definitions/templates.ts';

export const templates: typeof english = {
  title: 'Job-Templates',
  new: 'Neues Job-Template',
  none: 'Noch keine Job-Templates',
  noMatches: 'Kein Job-Template passt zu diesen Filtern',
  views: {
    yaml: 'Überblick',
    edit: 'Bearbeiten',
    versions: 'Versionen',
    jobs: 'Jobs',
    dashboards: 'Dashboards',
  },
  verbHints: {
    archive: 'Aus ihm entstehen keine neuen Jobs. Seine Jobs laufen weiter.',
    activate: 'Aus ihm können wieder neue Jobs entstehen.',
    remove:
      'Auch seine Versionen und Dashboard-Templates werden gelöscht. Ein Template mit Jobs kann man nur archivieren.',
  },
  noJobs: 'Aus ihm ist kein Job entstanden',
  behind: (has, newest) => `${has}, Upgrade auf ${newest}`,
  newDashboard: 'Neues Dashboard-Template',
  noDashboards: 'Es hat keine Dashboard-Templates: seine Jobs bekommen kein Dashboard',
  dashboardViews: { yaml: 'YAML', edit: 'Bearbeiten', push: 'Dashboards aktualisieren' },
  linked: (count) => (count === 1 ? '1 verbundenes Dashboard' : `${count} verbundene Dashboards`),
  dashboardVerbHints: {
    archive: 'Neue Jobs bekommen daraus kein Dashboard. Dashboards, die daraus entstanden, bleiben.',
    activate: 'Neue Jobs bekommen daraus wieder ein Dashboard.',
    remove: 'Dashboards, die daraus entstanden, bleiben, und sind nicht mehr mit ihm verbunden.',
  },
};
