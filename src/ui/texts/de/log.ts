import type { log as english } from '../en/log.ts';

export const log: typeof english = {
  title: 'Log',
  level: 'Stufe',
  levels: { debug: 'Alles', info: 'Ab Info', warn: 'Warnungen und Fehler', error: 'Fehler' },
  step: 'Schritt',
  anyStep: 'Alle Schritte',
  search: 'Log durchsuchen',
  follow: 'Folgen',
  firstError: 'Erster Fehler',
  noErrors: 'Keine Zeile dieses Logs ist ein Fehler',
  download: 'Herunterladen',
  lines: (count) => `${count} Zeilen`,
  matches: (count) => `${count} passende Zeilen`,
  capped: (count) =>
    `Die ersten ${count} passenden Zeilen werden gezeigt. Suchen Sie enger, oder laden Sie das Log herunter.`,
  empty: 'Noch keine Zeilen',
  noMatches: 'Keine Zeile passt',
  states: {
    live: 'Live',
    connecting: 'Verbindung wird aufgebaut …',
    lost: 'Die Verbindung ist verloren; das Log geht weiter, wo es stehen blieb',
    complete: 'Vollständig',
    missing: 'Der Executor hat nicht alle Zeilen gesendet',
    quota: 'Zeilen über dem Kontingent des Laufs wurden nicht aufbewahrt',
    retention: 'Alte Zeilen wurden nach Ablauf gelöscht',
  },
  absent: 'Nicht aufbewahrt',
  fields: 'Felder',
  attempt: (attempt) => `Versuch ${attempt}`,
  detail: 'Die gewählte Zeile',
};
