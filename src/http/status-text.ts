/**
 * What an HTTP status is called. Not by `import`: that reads every name of `node:http`, one of which loads a second HTTP library
 * into the process (20 ms, 5 MB).
 */
export function statusText(status: number): string | undefined {
  return process.getBuiltinModule('node:http').STATUS_CODES[status];
}
