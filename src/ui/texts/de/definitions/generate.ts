import type { generate as english } from '../../en/definitions/generate.ts';

export const generate: typeof english = {
  title: 'Von einem Modell schreiben lassen',
  notConfigured:
    'Auf diesem Server ist kein Modell eingerichtet. Ein Administrator richtet es unter Verwaltung → Einstellungen bei ai ein.',
  prompts: {
    task: 'Was soll der Task tun?',
    'job-template': 'Was soll ein Job dieses Templates tun?',
    dashboard: 'Was soll das Dashboard zeigen?',
  },
  change: 'Was soll geändert werden?',
  goesTo: {
    task: (model) => `Geht an ${model}, mit den Namen, Tabellen und Spalten der unten gewählten Konnektoren.`,
    'job-template': (model) =>
      `Geht an ${model}, mit den Namen, Beschreibungen und Konnektoren der aktiven Tasks und dem Text derer, die Sie nennen.`,
    dashboard: (model) =>
      `Geht an ${model}, mit dem Job-Template und den Namen, Tabellen und Spalten der unten gewählten Konnektoren.`,
  },
  hint: 'Sie sehen, was sich ändern würde, bevor Sie es übernehmen; gespeichert wird nichts.',
  fromSaved: 'Das Modell geht von der gespeicherten Version aus.',
  start: 'Erzeugen',
  asking: 'Das Modell wird gefragt …',
  phase: (name, attempt) => `${name} (Versuch ${attempt})…`,
  phases: {
    generating: (attempt) => `Das Modell schreibt (Versuch ${attempt}) …`,
    validating: (attempt) => `Der Text wird geprüft (Versuch ${attempt}) …`,
    repairing: (attempt) => `Das Modell behebt seine Fehler (Versuch ${attempt}) …`,
  },
  result: 'Was das Modell ändern würde',
  facts: (attempts, input, output) =>
    `${attempts === 1 ? '1 Versuch' : `${attempts} Versuche`} · ${input} Token gesendet, ${output} empfangen`,
  references: (names) => `Referenzen: ${names}`,
  same: 'Das Modell würde nichts ändern.',
  take: 'In den Editor übernehmen',
  drop: 'Nicht übernehmen',
};
