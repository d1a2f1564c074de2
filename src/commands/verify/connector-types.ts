import { existsSync } from 'node:fs';
import { CommandError } from '../kit/command-error.ts';
import { EXIT } from '../kit/exit-code.ts';
import { CONNECTORS_FILE, variablesOf } from '../run/connector-sources.ts';
import { readConnectors } from '../run/local-connectors.ts';
import type { RunOptions } from '../run.ts';

/** The types of connectors by their names, as a task declares them. Throws `CommandError` for one that is not given. */
export async function connectorTypes(
  names: readonly string[],
  options: RunOptions,
): Promise<Readonly<Record<string, { readonly type: string }>>> {
  const file = options.connectors ?? (existsSync(CONNECTORS_FILE) ? CONNECTORS_FILE : null);
  const sources = { file, given: options.connector, drivers: options.driver };
  const { byName } = await readConnectors({ ...sources, variables: await variablesOf(sources) }, names);
  return Object.fromEntries(
    names.map((name) => {
      const connector = Object.hasOwn(byName, name) ? byName[name] : undefined;
      if (connector === undefined)
        throw new CommandError(
          EXIT.usage,
          `No connector is given for "${name}": list it in ${CONNECTORS_FILE}, or pass --connector ${name}=type:path-or-url`,
        );
      return [name, { type: connector.type }];
    }),
  );
}
