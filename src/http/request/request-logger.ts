import type { FastifyBaseLogger } from 'fastify';

type Fields = Parameters<FastifyBaseLogger['child']>[0];

/**
 * A request's logger, which binds the request's id when something is logged: creating a child costs more than many requests do,
 * and most log nothing.
 */
export function requestLogger(logger: FastifyBaseLogger, fields: Fields): FastifyBaseLogger {
  return new RequestLogger(logger, fields) as unknown as FastifyBaseLogger;
}

class RequestLogger {
  readonly #parent: FastifyBaseLogger;
  readonly #fields: Fields;
  #made: FastifyBaseLogger | undefined;

  constructor(parent: FastifyBaseLogger, fields: Fields) {
    this.#parent = parent;
    this.#fields = fields;
  }

  get #own(): FastifyBaseLogger {
    this.#made ??= this.#parent.child(this.#fields);
    return this.#made;
  }

  get level(): string {
    return this.#parent.level;
  }

  child(...args: Parameters<FastifyBaseLogger['child']>): FastifyBaseLogger {
    return this.#own.child(...args);
  }

  fatal(...said: unknown[]): void {
    this.#say('fatal', said);
  }

  error(...said: unknown[]): void {
    this.#say('error', said);
  }

  warn(...said: unknown[]): void {
    this.#say('warn', said);
  }

  info(...said: unknown[]): void {
    this.#say('info', said);
  }

  debug(...said: unknown[]): void {
    this.#say('debug', said);
  }

  trace(...said: unknown[]): void {
    this.#say('trace', said);
  }

  silent(): void {}

  #say(level: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace', said: unknown[]): void {
    (this.#own[level] as (...said: unknown[]) => void)(...said);
  }
}
