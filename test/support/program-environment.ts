const INHERITED = ['PATH', 'TMPDIR', 'NODE_COMPILE_CACHE'];

/** What a program that a test starts has of the test's environment: nothing that would set it up, only where things are. */
export function programEnvironment(): Record<string, string> {
  return Object.fromEntries(
    INHERITED.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
