import type { tasks as english } from '../../en/definitions/tasks.ts';

export const tasks: typeof english = {
  title: 'Tasks',
  new: 'Neuer Task',
  none: 'Noch keine Tasks',
  noMatches: 'Kein Task passt zu diesen Filtern',
  active: 'Aktiv',
  archived: 'Archiviert',
  connectors: 'Konnektoren',
  version: 'Version',
  viewsLabel: 'Ansichten',
  views: { yaml: 'YAML', edit: 'Bearbeiten', versions: 'Versionen', uses: 'Verwendung' },
  yamlOf: (name) => `YAML: ${name}`,
  verbHints: {
    archive: 'Neue Jobs können ihn nicht verwenden. Jobs, die ihn festgelegt haben, laufen weiter.',
    activate: 'Neue Jobs können ihn wieder verwenden.',
    remove:
      'Auch seine Versionen werden gelöscht. Einen Task, den ein Job festgelegt hat, kann man nur archivieren.',
  },
  noVersions: 'Es gibt keine Versionen',
  changes: 'Änderungen',
  noChanges: 'Der Text ist derselbe wie in der Version davor',
  templates: 'Job-Templates',
  noTemplate: 'Kein Job-Template führt ihn aus',
  nodes: 'Läuft als',
  pinned: 'Festgelegte Version',
  noJob: 'Kein Job hat ihn festgelegt',
};
