import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { Test } from 'tap';

const pem = (name: string) =>
  readFileSync(new URL(`../protocol/fixtures/tls/${name}.pem`, import.meta.url), 'utf8');

/** The authority of its certificate, which is for `localhost`. */
export const SMTP_CA = pem('ca');
export const SMTP_LOGIN = { username: 'mailer', password: 'sm7p-s3cret' };

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly content: string;
  readonly isSecure: boolean;
  readonly user: string | null;
}

export interface SmtpReceiver {
  readonly port: number;
  readonly received: ReceivedMail[];
}

/** A real SMTP server on loopback that keeps what it was sent. It offers STARTTLS; `secure`: TLS from the first byte. */
export async function startSmtp(t: Test, options: SMTPServerOptions = {}): Promise<SmtpReceiver> {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    cert: pem('server'),
    key: pem('server-key'),
    authOptional: true,
    onAuth(auth, _, done) {
      const isRight = auth.username === SMTP_LOGIN.username && auth.password === SMTP_LOGIN.password;
      done(isRight ? null : new Error('Invalid login'), isRight ? { user: SMTP_LOGIN.username } : undefined);
    },
    onData(stream, session, done) {
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          content: Buffer.concat(pieces).toString(),
          isSecure: session.secure,
          user: typeof session.user === 'string' ? session.user : null,
        });
        done();
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.server.address() as AddressInfo;
  return { port, received };
}
