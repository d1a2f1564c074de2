/** What a new user gets for the second step of signing in. */
export const enrolment = {
  appTitle: '1. Add Headgate to your authenticator app',
  appText: 'Scan this with any app for one-time codes, such as Aegis, 1Password or Google Authenticator.',
  qrAlt: 'QR code for the authenticator app',
  secretTitle: 'It cannot be scanned?',
  recoveryTitle: '2. Keep your recovery codes',
  recoveryText: 'Each signs you in once when the app is lost. They are shown only now.',
  download: 'Download the codes',
};
