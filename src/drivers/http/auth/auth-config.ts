import { z } from 'zod';

const text = z.string().min(1, 'Give a value').max(2_000);
const url = z
  .string()
  .max(2_000)
  .refine(
    (given) => /^https?:$/.test(URL.parse(given)?.protocol ?? ''),
    'Give a URL that begins with https:// or http://',
  );

const oauth = {
  token_url: url.describe('URL of the token endpoint.'),
  client_id: text.describe('Client id.'),
  scope: z.string().max(2_000).optional().describe('Scopes to request, separated by spaces.'),
  audience: z.string().max(2_000).optional().describe('Audience to request.'),
  client_auth: z
    .enum(['basic', 'body'])
    .default('basic')
    .describe('Whether client id and secret are sent in the header `Authorization` or in the body.'),
};

/** How requests prove who they are from; secrets stand beside it, so that each can be kept encrypted. */
export const authConfig = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('none').describe('No credentials.') }),
    z.strictObject({ type: z.literal('bearer').describe('`Authorization: Bearer` with `token`.') }),
    z.strictObject({
      type: z.literal('api_key').describe('`api_key` in a header or query parameter.'),
      name: text.default('X-API-Key').describe('Name of the header or the parameter.'),
      in: z.enum(['header', 'query']).default('header').describe('Where it is sent.'),
      prefix: z.string().max(100).default('').describe('Text before the key, such as `Token `.'),
    }),
    z.strictObject({
      type: z.literal('basic').describe('User name, and `password`.'),
      username: z
        .string()
        .max(500)
        .regex(/^[^:]*$/, 'A user name must not contain a colon')
        .describe('The user name.'),
    }),
    z.strictObject({
      type: z
        .literal('oauth2_client_credentials')
        .describe('A token for the client itself, with `client_secret`.'),
      ...oauth,
    }),
    z.strictObject({
      type: z
        .literal('oauth2_refresh_token')
        .describe(
          'A token from `refresh_token`, which must not rotate; with `client_secret` if the client has one.',
        ),
      ...oauth,
    }),
    z.strictObject({
      type: z.literal('session').describe('A token returned by a login with a user name and `password`.'),
      login_path: text.describe('Path of the login below `base_url`.'),
      username: text.describe('The user name.'),
      username_field: text.default('username').describe('Field of the JSON body for it.'),
      password_field: text.default('password').describe('Field of the JSON body for the password.'),
      token_path: z
        .string()
        .max(500)
        .regex(/^[^.]+(\.[^.]+)*$/, 'Write the keys that lead to the token with dots between')
        .default('token')
        .describe('Path of the token in the response, such as `data.token`.'),
      header: text.default('Authorization').describe('Header for the token.'),
      prefix: z.string().max(100).default('Bearer ').describe('Text before the token.'),
    }),
  ])
  .describe('How requests authenticate. Secrets are separate keys next to it.');
export type AuthConfig = z.output<typeof authConfig>;

/** Which secrets each kind of authentication uses. */
const USED = {
  none: [],
  bearer: ['token'],
  api_key: ['api_key'],
  basic: ['password'],
  oauth2_client_credentials: ['client_secret'],
  oauth2_refresh_token: ['client_secret', 'refresh_token'],
  session: ['password'],
} as const satisfies Readonly<Record<AuthConfig['type'], readonly string[]>>;
export type AuthSecretName = (typeof USED)[AuthConfig['type']][number];

/** The schema says which kinds a secret is for, so that a form leaves it out elsewhere. */
function secretFor(name: AuthSecretName, description: string) {
  const types = Object.entries<readonly string[]>(USED).flatMap(([type, used]) =>
    used.includes(name) ? [type] : [],
  );
  const secret = z.string().min(1, 'Give a value').max(8_000).optional();
  return secret.describe(description).meta({ 'x-for-auth': types });
}

/** Top-level keys of the configuration. */
export const authSecrets = {
  token: secretFor('token', 'For `bearer`: the token.'),
  api_key: secretFor('api_key', 'For `api_key`: the key.'),
  password: secretFor('password', 'For `basic` and `session`: the password.'),
  client_secret: secretFor('client_secret', 'For OAuth 2: the client secret.'),
  refresh_token: secretFor('refresh_token', 'For `oauth2_refresh_token`: the refresh token.'),
} satisfies Readonly<Record<AuthSecretName, z.ZodType>>;
export const AUTH_SECRET_NAMES = Object.keys(authSecrets) as AuthSecretName[];

const OPTIONAL: Readonly<Partial<Record<AuthConfig['type'], AuthSecretName>>> = {
  oauth2_refresh_token: 'client_secret',
  basic: 'password',
};

type Given = { readonly auth: AuthConfig } & { readonly [name in AuthSecretName]?: string | undefined };

/** Secrets that are missing, or that the kind of authentication does not use. */
export function authProblems(config: Given): readonly { readonly key: string; readonly message: string }[] {
  const { type } = config.auth;
  const used: readonly AuthSecretName[] = USED[type];
  return AUTH_SECRET_NAMES.flatMap((key) => {
    if (config[key] === undefined && used.includes(key) && OPTIONAL[type] !== key)
      return [{ key, message: `"${key}" is required for authentication by ${type}` }];
    if (config[key] !== undefined && !used.includes(key))
      return [{ key, message: `Authentication by ${type} does not use "${key}"` }];
    return [];
  });
}
