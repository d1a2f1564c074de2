import { readFileSync, writeFileSync } from 'node:fs';
import { messageOf } from '../../base/errors.ts';
import { programFile } from '../../base/program-files.ts';
import { isConnectorType } from '../../drivers/driver-loaders.ts';
import { CommandError } from '../kit/command-error.ts';
import { EXIT } from '../kit/exit-code.ts';
import { perform } from '../kit/perform.ts';

const NAME = /^[a-z][a-z0-9_]{0,39}$/;

/** `headgate driver new`: writes a driver that works, as `NAME-driver.ts` in the working folder; never over a file that is there. */
export async function newDriver(name: string, options: { readonly json: boolean }): Promise<number> {
  return perform(options, async (out) => {
    if (!NAME.test(name))
      throw new CommandError(
        EXIT.usage,
        `"${name}" is not a type name: up to 40 lower-case letters, digits and "_", starting with a letter`,
      );
    if (isConnectorType(name))
      throw new CommandError(EXIT.usage, `The connector type "${name}" already exists: choose another name`);
    const title = `${name[0]?.toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;
    const example = readFileSync(programFile('examples/driver/new-driver.ts'), 'utf8');
    const text = example.replaceAll('my_store', name).replaceAll('My store', title);
    const file = `${name}-driver.ts`;
    write(file, text);
    if (out.isJson) out.json({ file, type: name });
    out.line(`Wrote ${file}: a driver that reads JSON files, as a starting point for yours.`);
    out.line(`Test it against the interface:   headgate driver test ./${file}`);
    out.line(`For types in an editor:          npm install --save-dev "${programFile('')}" zod @types/node`);
    return EXIT.ok;
  });
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx' });
  } catch (cause) {
    const isThere = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
    const why = isThere ? 'it exists already' : messageOf(cause);
    throw new CommandError(EXIT.usage, `The file "${file}" cannot be written: ${why}`, { cause });
  }
}
