import { generateSync } from 'otplib';
import type { App } from '../../src/http/server.ts';
import type { Enrolment } from '../../src/modules/auth/totp.ts';
import type { HttpAnswer } from './app.ts';
import type { TestClock } from './clock.ts';

export const PASSWORD = 'a passphrase of some length';

/** Passwords whose hashes take a hundredth of the time. */
export const QUICK_PASSWORDS = { memoryKib: 64 };

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Loose = Record<string, unknown>;

export interface SignedIn {
  readonly visitor: Visitor;
  readonly email: string;
  readonly enrolment: Enrolment;
}

/** Sets a new server up, and signs its first superadmin in. */
export async function setUp(http: App, setupToken: string | null, clock: TestClock): Promise<SignedIn> {
  const visitor = new Visitor(http, {});
  const email = 'root@example.com';
  const account = { token: setupToken, email, name: 'Root', password: PASSWORD };
  const { body: enrolment } = await visitor.post<Enrolment>('/api/auth/setup', account);
  await signIn(visitor, email, PASSWORD, enrolment.secret, clock);
  return { visitor, email, enrolment };
}

/** Both steps of the sign-in. The clock goes on by one step first, so that a code was never used before. */
export async function signIn(
  visitor: Visitor,
  email: string,
  password: string,
  secret: string,
  clock: TestClock,
): Promise<void> {
  const login = await visitor.post('/api/auth/login', { email, password });
  if (login.status !== 200) throw new Error(`login: ${login.text}`);
  clock.advance(30_000);
  const verified = await visitor.post('/api/auth/verify-totp', { code: codeOf(secret, clock) });
  if (verified.status !== 200) throw new Error(`verify-totp: ${verified.text}`);
}

/** The code that an authenticator app shows now, or `steps` of 30 s from now. */
export function codeOf(secret: string, clock: TestClock, steps = 0): string {
  return generateSync({ secret, epoch: Math.floor(clock.now() / 1_000) + steps * 30 });
}

/** Somebody with a browser, who keeps cookies and sends the origin; or a program with a bearer token. */
export class Visitor {
  readonly cookies = new Map<string, string>();
  /** `Set-Cookie` of the last answer. */
  setCookies: string[] = [];
  readonly #http: App;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #address: string;

  constructor(http: App, headers: Readonly<Record<string, string>>, address = '127.0.0.1') {
    this.#http = http;
    this.#headers = headers;
    this.#address = address;
  }

  get<T = Loose>(path: string, headers?: Readonly<Record<string, string>>): Promise<HttpAnswer<T>> {
    return this.send<T>('GET', path, undefined, headers);
  }

  post<T = Loose>(
    path: string,
    body?: object | string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<HttpAnswer<T>> {
    return this.send<T>('POST', path, body, headers);
  }

  put<T = Loose>(
    path: string,
    body?: object | string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<HttpAnswer<T>> {
    return this.send<T>('PUT', path, body, headers);
  }

  delete<T = Loose>(path: string, headers?: Readonly<Record<string, string>>): Promise<HttpAnswer<T>> {
    return this.send<T>('DELETE', path, undefined, headers);
  }

  async send<T = Loose>(
    method: Method,
    url: string,
    body?: object | string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<HttpAnswer<T>> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await this.#http.inject({
      method,
      url,
      remoteAddress: this.#address,
      headers: {
        host: 'headgate.test',
        ...(this.#headers['authorization'] === undefined ? { origin: 'http://headgate.test' } : {}),
        ...(cookie === '' ? {} : { cookie }),
        ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
        ...this.#headers,
        ...headers,
      },
      ...(body === undefined ? {} : { payload: body }),
    });
    this.#keepCookies([answer.headers['set-cookie'] ?? []].flat());
    const json = String(answer.headers['content-type']).includes('application/json') && answer.body !== '';
    return {
      status: answer.statusCode,
      body: (json ? JSON.parse(answer.body) : null) as T,
      text: answer.body,
      headers: answer.headers as HttpAnswer<T>['headers'],
    };
  }

  #keepCookies(lines: string[]): void {
    this.setCookies = lines;
    for (const line of lines) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}
