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
  run: 'Einmal ausführen',
  runTitle: (name) => `${name} einmal ausführen?`,
  runHint: 'Die gespeicherte Version läuft ohne Job, mit diesen Konnektoren und Argumenten.',
  argsHint: 'Argumente als JSON-Objekt. Was fehlt, hat seinen Vorgabewert.',
  argsNotAnObject: 'Die Argumente müssen ein JSON-Objekt sein, etwa {"since": "2026-01-01"}',
  packages: 'Pakete der Skripte',
  packagesHint:
    'Jede Version des Tasks behält genau die Pakete, die ihre Skripte importieren. Festlegen schreibt sie in den Text; danach speichern.',
  pin: 'Pakete festlegen',
  pinNewer: 'Neueste Versionen festlegen',
  pinning: 'Wird festgelegt…',
  pinnedNow: 'Im Text festgelegt, noch nicht gespeichert',
  pinnedAlready: 'Bereits festgelegt',
  load: {
    title: 'Zeilen früherer Läufe',
    mode: 'Beim nächsten Lauf',
    modes: {
      merge: 'Zeilen nach Schlüssel aktualisieren oder hinzufügen (merge)',
      upsert: 'Zeilen nach Schlüssel aktualisieren oder hinzufügen (upsert)',
      replace: 'Alle Zeilen ersetzen (replace)',
      append: 'Alle Zeilen noch einmal hinzufügen (append)',
    },
    hints: {
      merge:
        'Für Quellen, die jedes Mal ganz gelesen werden oder nur Änderungen liefern. Zeilen, die in der Quelle wegfallen, bleiben im Ziel.',
      upsert:
        'Für Quellen, die jedes Mal ganz gelesen werden oder nur Änderungen liefern. Zeilen, die in der Quelle wegfallen, bleiben im Ziel.',
      replace:
        'Für Quellen ohne Schlüssel, die jedes Mal ganz gelesen werden. Was die Quelle nicht liefert, wird aus der Zieltabelle gelöscht. Liefert sie keine Zeilen, bleiben die alten.',
      append:
        'Für Quellen, die jede Zeile nur einmal liefern, etwa Ereignisse. Eine Datei, die jede Nacht ganz gelesen wird, verdoppelt ihre Zeilen.',
    },
    key: 'Schlüsselspalten',
    keyHint: (columns) =>
      `Spalten, die zusammen in jeder Zeile anders sind, etwa eine Bestellnummer; mehrere durch Kommas trennen. Von Zeilen mit gleichem Schlüssel bleibt die letzte.${
        columns.length > 0 ? ` Die Quelle hat: ${columns.join(', ')}.` : ''
      }`,
  },
  preview: 'Vorschau',
  previewing: 'Läuft…',
  previewHint: 'Führt den Text im Editor mit höchstens 10 Zeilen jeder Quelle aus. Nichts wird geschrieben.',
  configOf: 'job_config von',
  noConfig: 'Kein Job',
  noConfigHint:
    'Wählen Sie einen Job, um seine gespeicherte Konfiguration zu verwenden. Ohne Job ist job_config leer.',
  previewFailed: 'Die Vorschau wurde nicht beendet',
  failedAt: (step) => `Der Schritt ${step} ist fehlgeschlagen`,
  previewRows: (into, out, filtered, failed) =>
    [
      `${into} hinein`,
      `${out} hinaus`,
      ...(filtered > 0 ? [`${filtered} gefiltert`] : []),
      ...(failed > 0 ? [`${failed} fehlgeschlagen`] : []),
    ].join(' · '),
  olderUses: (jobs) => `${jobs === 1 ? '1 Job führt' : `${jobs} Jobs führen`} noch eine ältere Version aus`,
  would: 'Hätte Folgendes getan:',
  wouldLoad: ({ rows, object, mode, keys, deletes, isVerified }) =>
    [
      `Hätte ${rows === 1 ? '1 Zeile' : `${rows} Zeilen`} nach ${object} geschrieben: ${mode}`,
      ...(keys.length > 0 ? [`nach ${keys.join(', ')}`] : []),
      ...(deletes ? ['und die fehlenden Zeilen gelöscht'] : []),
      ...(isVerified ? ['und danach im Ziel geprüft'] : []),
    ].join(' '),
  wouldVerify: (source, target) =>
    `Hätte geprüft, dass ${target} die Zeilen von ${source} hat; eine Vorschau vergleicht nichts`,
  expression: 'Ausdruck am Cursor',
  expressionHint:
    'Setzen Sie den Cursor in einen Ausdruck von filter, set, map oder when, um seinen Wert für eine Zeile zu sehen.',
  noRowFor: (step: string) => `Die Vorschau hat keine Zeile von ${step}.`,
  expressionRow: (step: string) => `Zeile von ${step}`,
  expressionAt: (column: number, message: string) => `Zeichen ${column}: ${message}`,
  record: 'Als Beispiel aufzeichnen',
  recordName: 'Name des Beispiels',
  recordHint: 'Fügt einen Eintrag für tests: des Tasks hinzu, den headgate test ausführt.',
  noVersions: 'Keine Versionen',
  changes: 'Änderungen',
  noChanges: 'Derselbe Text wie in der vorigen Version',
  templates: 'Job-Templates',
  noTemplate: 'Kein Job-Template führt ihn aus',
  nodes: 'Läuft als',
  pinned: 'Festgelegte Version',
  noJob: 'Kein Job hat ihn festgelegt',
};
