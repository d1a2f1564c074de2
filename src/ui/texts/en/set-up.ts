/** The first start of a server. */
export const setUp = {
  title: 'Welcome to Headgate',
  intro: 'Create the first account. It can do everything, and can add the others.',
  token: 'Setup token',
  tokenHint: 'The server printed it on its console when it started.',
  name: 'Your name',
  email: 'Email',
  password: 'Password',
  passwordHint: 'At least 12 characters. A few unrelated words make a good password.',
  create: 'Create the account',
  secondStep: 'Protect the account',
  codeTitle: '3. Enter the code that the app shows',
};
