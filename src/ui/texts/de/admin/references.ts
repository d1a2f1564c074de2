import type { references as english } from '../../en/admin/references.ts';

export const references: typeof english = {
  title: 'KI-Referenzen',
  new: 'Neue Referenz',
  hint: 'Texte, die das Modell bekommt, wenn es einen Task schreibt: Namen von Tabellen, Konventionen, Beispiele. Schreiben Sie nie ein Geheimnis hinein.',
  none: 'Noch keine Referenzen: das Modell kennt nur Tabellen und Spalten der Konnektoren',
  noMatches: 'Keine Referenz passt zu diesen Filtern',
  model: (model, provider, host) => `${model} (${provider}, ${host}) schreibt Tasks.`,
  noModel:
    'Kein Modell ist eingerichtet: niemand kann einen Task schreiben lassen, bis die Einstellung ai.api_key gesetzt ist.',
  search: 'Nach Namen suchen',
  description: 'Beschreibung',
  content: 'Text für das Modell',
  contentHint: 'Höchstens 65.536 Zeichen.',
  tags: 'Schlagwörter',
  tagsHint: 'Eines je Zeile, höchstens 20.',
  use: 'Verwendung',
  given: 'Von selbst dabei',
  onRequest: 'Nur, wo sie gewählt ist',
  givenHint: 'Das Modell bekommt sie von selbst. Sonst nur, wenn eine Anfrage sie nennt.',
  length: 'Zeichen',
  changed: 'Geändert',
  removeHint: 'Das Modell bekommt sie nicht mehr. Tasks, die mit ihr geschrieben wurden, bleiben.',
  remove: 'Löschen',
};
