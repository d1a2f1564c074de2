import { ConnectorError } from '../driver.ts';

/** Throws `CONFIG` unless a statement with `count` placeholders is given as many values. */
export function requireValueCount(count: number, given: number): void {
  if (given === count) return;
  const missing =
    given + 1 === count ? `value ${count} is missing` : `values ${given + 1} to ${count} are missing`;
  const extra = `it reads ${count === 0 ? 'none' : count}, "params" has ${given}`;
  throw new ConnectorError(
    'CONFIG',
    `"params" must have one value for each ? of the statement: ${given < count ? missing : extra}`,
  );
}
