/** A command that cannot continue, in words for the person who called it. */
export class CommandError extends Error {
  /** One of `EXIT`. */
  readonly exitCode: number;

  constructor(exitCode: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CommandError';
    this.exitCode = exitCode;
  }
}
