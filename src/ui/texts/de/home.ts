import type { home as english } from '../en/home.ts';

export const home: typeof english = {
  title: 'Start',
  running: 'Läuft gerade',
  nothingRuns: 'Zurzeit läuft nichts',
  failing: 'Seit gestern fehlgeschlagen',
  failingHint: 'Jobs, deren letzter Lauf fehlschlug.',
  nothingFails: 'Seit gestern ist kein Job fehlgeschlagen',
  late: 'Verspätet',
  lateHint:
    'Trigger, deren letzter Lauf ausblieb, und Läufe, die die SLA ihres Templates überschritten haben.',
  nothingLate: 'Alles ist pünktlich',
  connectors: 'Gestörte Konnektoren',
  connectorsHint: 'Sie sind nicht erreichbar oder lehnen die Zugangsdaten ab.',
  lateReasons: {
    not_fired: 'Der fällige Lauf wurde nicht angelegt',
    not_started: 'Sein Lauf wartet noch in der Warteschlange',
    paused: 'Automatisch angehalten',
    sla: 'SLA überschritten',
  },
  recent: 'Letzte Läufe',
  nothingRecent: 'Noch ist kein Job gelaufen',
  upcoming: 'Nächste Läufe',
  nothingUpcoming: 'Nichts ist geplant',
  letters: 'Neueste abgewiesene Zeilen',
  noLetters: 'Keine Zeile wartet auf eine Entscheidung',
  open: (count) => `${count} offen`,
  queue: 'Warteschlange',
  ready: 'Wartend',
  delayed: 'Geplant',
  busy: 'Laufend',
  oldest: 'Längste Wartezeit',
  executors: 'Executors',
  online: 'Online',
  draining: 'Läuft aus',
  lost: 'Verloren',
  noExecutor: 'Kein Executor ist online: Läufe warten, bis einer kommt.',
  firstSteps: 'Erste Schritte',
  firstStepsHint:
    'Dieser Server hat noch keinen Job. Vier Schritte führen zu Zeilen, die jede Nacht übertragen werden.',
  stepDone: 'Erledigt',
  byAdmins: 'Das macht ein Administrator.',
  steps: {
    connectors: {
      title: 'Quelle und Ziel verbinden',
      text: 'Eine Datenbank, Dateien oder eine API: woher Zeilen kommen und wohin sie gehen.',
    },
    tasks: {
      title: 'Einen Task schreiben',
      text: 'Schritte, die Zeilen lesen, ändern und laden, in YAML. Unter dem Text steht eine Vorschau mit echten Zeilen.',
    },
    templates: {
      title: 'Ihn in ein Job-Template aufnehmen',
      text: 'Tasks in ihrer Reihenfolge und die Dashboards, die jeder Job mitbekommt.',
    },
    jobs: {
      title: 'Aus dem Template einen Job anlegen',
      text: 'Einen je Kunde: mit eigenen Konnektoren, eigener Konfiguration und eigenem Zeitplan.',
    },
  },
  all: 'Alle anzeigen',
};
