import type { Role } from '../../src/http/access.ts';
import type { FullApp } from './full-app.ts';
import { PASSWORD, signIn, type Visitor } from './visitor.ts';

export interface Person {
  readonly id: number;
  readonly email: string;
  /** Of the authenticator app. */
  readonly secret: string;
  /** Signed in with a browser. */
  readonly visitor: Visitor;
  /** A program with a key of theirs, of all scopes. */
  readonly program: Visitor;
}

/** A user of a role whom a superadmin creates, signed in for the first time, with an API key. */
export async function createPerson(
  full: FullApp,
  root: Visitor,
  role: Role,
  name: string = role,
): Promise<Person> {
  const email = `${name}@example.com`;
  const made = await root.post<{ id: number }>('/api/users', { email, name, role, password: PASSWORD });
  if (made.status !== 201) throw new Error(`user: ${made.text}`);
  const visitor = full.visitor();
  const login = await visitor.post<{ totp_enrolment: { secret: string } }>('/api/auth/login', {
    email,
    password: PASSWORD,
  });
  const { secret } = login.body.totp_enrolment;
  await signIn(visitor, email, PASSWORD, secret, full.clock);
  return { id: made.body.id, email, secret, visitor, program: await keyOf(full, visitor) };
}

/** A program with a new API key of `owner`. */
export async function keyOf(
  full: FullApp,
  owner: Visitor,
  input: { scopes?: readonly string[]; expires_at?: string } = {},
): Promise<Visitor> {
  const made = await owner.post<{ token: string }>('/api/api-keys', { name: 'k', ...input });
  if (made.status !== 201) throw new Error(`API key: ${made.text}`);
  return full.withToken(made.body.token);
}
