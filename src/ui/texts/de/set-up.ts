import type { setUp as english } from '../en/set-up.ts';

export const setUp: typeof english = {
  title: 'Willkommen bei Headgate',
  intro: 'Legen Sie das erste Konto an. Es darf alles und legt die anderen an.',
  token: 'Einrichtungs-Token',
  tokenHint: 'Der Server hat ihn beim Start auf seiner Konsole ausgegeben.',
  name: 'Ihr Name',
  email: 'E-Mail',
  password: 'Passwort',
  passwordHint: 'Mindestens 12 Zeichen. Gut sind einige Wörter, die nur für Sie zusammengehören.',
  create: 'Konto anlegen',
  secondStep: 'Konto schützen',
  codeTitle: '3. Den Code aus der App eingeben',
};
