import type { references as english } from '../../en/admin/references.ts';

export const references: typeof english = {
  title: 'KI-Referenzen',
  new: 'Neue Referenz',
  hint: 'Texte, die das Modell bekommt, wenn es einen Task schreibt: Namen von Tabellen, Konventionen, Beispiele. Schreiben Sie keine Geheimnisse hinein.',
  none: 'Noch keine Referenzen: Das Modell kennt nur Tabellen und Spalten der Konnektoren',
  noMatches: 'Keine Referenz passt zu diesen Filtern',
  model: (model, provider, host) => `${model} (${provider}, ${host}) schreibt Tasks.`,
  noModel:
    'Kein Modell ist eingerichtet: Tasks lassen sich erst schreiben, wenn die Einstellung ai.api_key gesetzt ist.',
  search: 'Nach Namen suchen',
  description: 'Beschreibung',
  content: 'Text für das Modell',
  contentHint: 'Höchstens 65.536 Zeichen.',
  tags: 'Schlagwörter',
  tagsHint: 'Eines je Zeile, höchstens 20.',
  use: 'Verwendung',
  given: 'Standardmäßig dabei',
  onRequest: 'Nur bei Auswahl',
  givenHint: 'Das Modell bekommt sie bei jeder Anfrage; sonst nur bei Anfragen, die sie auswählen.',
  length: 'Zeichen',
  changed: 'Geändert',
  removeHint: 'Das Modell bekommt sie nicht mehr. Tasks, die mit ihr geschrieben wurden, bleiben.',
  remove: 'Löschen',
};
