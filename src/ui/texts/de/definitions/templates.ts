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
    archive: 'Aus dem Template können keine neuen Jobs entstehen. Seine Jobs laufen weiter.',
    activate: 'Aus dem Template können wieder neue Jobs entstehen.',
    remove:
      'Auch seine Versionen und Dashboard-Templates werden gelöscht. Ein Template mit Jobs kann man nur archivieren.',
  },
  noJobs: 'Noch keine Jobs aus diesem Template',
  behind: (has, newest) => `${has}, Upgrade auf ${newest}`,
  newDashboard: 'Neues Dashboard-Template',
  noDashboards: 'Keine Dashboard-Templates: Jobs dieses Templates bekommen kein Dashboard',
  dashboardViews: { yaml: 'YAML', edit: 'Bearbeiten', push: 'Dashboards aktualisieren' },
  linked: (count) => (count === 1 ? '1 verbundenes Dashboard' : `${count} verbundene Dashboards`),
  dashboardVerbHints: {
    archive: 'Neue Jobs bekommen daraus kein Dashboard. Daraus entstandene Dashboards bleiben.',
    activate: 'Neue Jobs bekommen daraus wieder ein Dashboard.',
    remove: 'Daraus entstandene Dashboards bleiben, sind aber nicht mehr mit ihm verbunden.',
  },
};
