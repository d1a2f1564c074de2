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
    `Die ersten ${count} passenden Zeilen werden angezeigt. Grenzen Sie die Suche ein, oder laden Sie das Log herunter.`,
  empty: 'Noch keine Zeilen',
  noMatches: 'Keine Zeile passt',
  states: {
    live: 'Live',
    connecting: 'Verbindung wird aufgebaut …',
    lost: 'Verbindung verloren; danach geht das Log an derselben Stelle weiter',
    complete: 'Vollständig',
    missing: 'Der Executor hat nicht alle Zeilen gesendet',
    quota: 'Das Kontingent des Laufs ist erreicht: Weitere Zeilen wurden nicht aufbewahrt',
    retention: 'Alte Zeilen wurden nach Ablauf der Aufbewahrungszeit gelöscht',
  },
  absent: 'Nicht aufbewahrt',
  fields: 'Felder',
  attempt: (attempt) => `Versuch ${attempt}`,
  detail: 'Ausgewählte Zeile',
};
