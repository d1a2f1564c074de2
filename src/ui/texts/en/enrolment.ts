/** What a new user gets for the second step of signing in. */
export const enrolment = {
  appTitle: '1. Add Headgate to your authenticator app',
  appText: 'Scan this with any app for one-time codes, such as Aegis, 1Password or Google Authenticator.',
  qrAlt: 'QR code for the authenticator app',
  secretTitle: 'Cannot scan it?',
  recoveryTitle: '2. Keep your recovery codes',
  recoveryText: 'If you lose the app, each code signs you in once. They are shown only now.',
  download: 'Download the codes',
};
