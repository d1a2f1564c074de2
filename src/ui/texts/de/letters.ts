import type { letters as english } from '../en/letters.ts';

const rows = (count: number) => (count === 1 ? '1 Zeile' : `${count} Zeilen`);

export const letters: typeof english = {
  title: 'Abgewiesene Zeilen',
  ofRun: (id) => `Lauf ${id}`,
  ofAll: 'Alle abgewiesenen Zeilen',
  reasons: 'Gründe',
  noReasons: 'Keine Zeile ist offen',
  reason: 'Grund und Stelle',
  rows: 'Zeilen',
  none: 'Keine Zeile ist offen',
  noMatches: 'Keine Zeile passt zu diesen Filtern',
  allStates: 'Alle',
  choose: (id) => `Zeile ${id} auswählen`,
  chooseAll: 'Alle gezeigten Zeilen auswählen',
  chosen: (count, corrected) =>
    corrected === 0 ? `${rows(count)} ausgewählt` : `${rows(count)} ausgewählt, ${corrected} berichtigt`,
  spoilt: (count) =>
    count === 1
      ? 'Eine Berichtigung ist nicht vollständig.'
      : `${count} Berichtigungen sind nicht vollständig.`,
  correct: 'Berichtigen',
  correctCell: (column) => `${column} berichtigen`,
  undo: 'Zurücknehmen',
  asJson: 'Als JSON',
  rowAsJson: (id) => `Zeile ${id} als JSON`,
  rawHint: 'Der Datensatz, wie er gelesen wurde:',
  noObject: 'Eine Zeile ist ein JSON-Objekt mit einem Wert für jede Spalte',
  failedAgain: 'bei einer Wiederholung wieder abgewiesen',
  replay: 'Wiederholen',
  replayRows: (count) => `${rows(count)} wiederholen`,
  replayAll: 'Alle wiederholen',
  discard: 'Verwerfen',
  discardAll: 'Alle verwerfen',
  replayTitle: (count) => `${rows(count)} wiederholen?`,
  replayHint:
    'Der Schritt, der sie abwies, bekommt genau diese Zeilen, und die Schritte danach laufen wie üblich. Aus der Quelle wird nichts noch einmal gelesen.',
  correctedRows: (corrected, given) =>
    given === 0
      ? `${rows(corrected)} wie berichtigt.`
      : `${rows(corrected)} wie berichtigt, ${given} wie sie waren.`,
  snapshot: 'Die Version, die sie abwies',
  snapshotHint: 'Wenn die Zeilen falsch waren.',
  currentHint: 'Wenn der Task oder die Konfiguration falsch war und jetzt berichtigt ist.',
  discardTitle: (count) => `${rows(count)} verwerfen?`,
  discardHint: 'Sie gelten als erledigt und werden nie wiederholt. Lesen kann man sie weiterhin.',
  replays: 'Wiederholungen',
  replaying: (count) => `${rows(count)} in Arbeit`,
  replayFailed: 'Die Wiederholung schlug fehl, ihre Zeilen sind wieder offen.',
  othersUnwritten:
    'Der Lauf selbst schlug fehl: Seine übrigen Zeilen werden erst geschrieben, wenn er mit berichtigter Quelle erneut läuft.',
  correctAgain: (count) => (count === 1 ? 'Diese Zeile berichtigen' : `Diese ${count} Zeilen berichtigen`),
  newestOf: (count) => `neueste von ${count}`,
  replayEnded: (done, again) =>
    again === 0 ? `${rows(done)} wiederholt` : `${rows(done)} wiederholt, ${again} wieder abgewiesen`,
};
