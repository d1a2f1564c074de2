/** A demo that cannot go on, in words for the person in front of it; nothing but its message is printed. */
export class DemoError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DemoError';
  }
}
