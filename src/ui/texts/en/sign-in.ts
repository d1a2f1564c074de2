/** Signing in. */
export const signIn = {
  title: 'Sign in',
  email: 'Email',
  password: 'Password',
  next: 'Continue',
  busy: 'One moment…',
  codeTitle: 'Two-step verification',
  codeHint: 'Enter the six digits that your authenticator app shows.',
  code: 'Code',
  recoveryHint: 'Enter one of your recovery codes. Each works once.',
  recoveryCode: 'Recovery code',
  useRecovery: 'Use a recovery code instead',
  useApp: 'Use the authenticator app instead',
  otherAccount: 'Sign in with another account',
};
