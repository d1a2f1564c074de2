/** A demo that cannot continue, in words for the person in front of it; nothing but its message is printed. */
export class DemoError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DemoError';
  }
}
