import type { signIn as english } from '../en/sign-in.ts';

export const signIn: typeof english = {
  title: 'Anmelden',
  email: 'E-Mail',
  password: 'Passwort',
  next: 'Weiter',
  busy: 'Einen Moment …',
  codeTitle: 'Bestätigung in zwei Schritten',
  codeHint: 'Geben Sie die sechs Ziffern ein, die Ihre Authenticator-App anzeigt.',
  code: 'Code',
  recoveryHint: 'Geben Sie einen Ihrer Wiederherstellungscodes ein. Jeder gilt nur einmal.',
  recoveryCode: 'Wiederherstellungscode',
  useRecovery: 'Stattdessen einen Wiederherstellungscode verwenden',
  useApp: 'Stattdessen die Authenticator-App verwenden',
  otherAccount: 'Mit einem anderen Konto anmelden',
};
