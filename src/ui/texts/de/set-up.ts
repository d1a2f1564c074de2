import type { setUp as english } from '../en/set-up.ts';

export const setUp: typeof english = {
  title: 'Willkommen bei Headgate',
  intro: 'Legen Sie das erste Konto an. Es hat alle Rechte und kann weitere Benutzer anlegen.',
  token: 'Einrichtungs-Token',
  tokenHint: 'Der Server hat ihn beim Start auf seiner Konsole ausgegeben.',
  name: 'Ihr Name',
  email: 'E-Mail',
  password: 'Passwort',
  passwordHint: 'Mindestens 12 Zeichen. Am besten mehrere Wörter, deren Zusammenhang nur Sie kennen.',
  create: 'Konto anlegen',
  secondStep: 'Konto schützen',
  codeTitle: '3. Den Code aus der App eingeben',
};
