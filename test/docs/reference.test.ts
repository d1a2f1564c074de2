import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { createProgram } from '../../src/commands/program.ts';
import { SETTINGS } from '../../src/settings.ts';
import { allDrivers } from '../support/all-drivers.ts';
import { allCommands } from './reference/cli-page.ts';
import { REFERENCE_PAGES } from './reference/pages.ts';
import { configuredDefault, splitHelp } from './reference/settings-page.ts';

const folder = join(import.meta.dirname, '../../docs/reference');
const read = (page: string) => readFileSync(join(folder, page), 'utf8');

t.test('the checked-in reference is that of the code', async (t) => {
  // That of values comes out of the matrix, which compares it (`test/values/whole`).
  t.same(readdirSync(folder).sort(), [...Object.keys(REFERENCE_PAGES), 'values.md'].sort());
  for (const [name, page] of Object.entries(REFERENCE_PAGES))
    t.ok(read(name) === page(), `${name}: run \`node test/docs/generate.ts\` after a change on purpose`);
});

t.test('every setting has its line, with the default that it really has', async (t) => {
  const page = read('settings.md');
  for (const [name, { path, help }] of Object.entries(SETTINGS)) {
    t.match(page, new RegExp(`^\\| \`${name}\` \\| \`${path.join('[.]')}\` \\| .+ \\| .+ \\|$`, 'm'), name);
    const configured = configuredDefault(path);
    if (configured === undefined || configured === null) continue;
    const { fallback } = splitHelp(help);
    const said = fallback.replaceAll('`', '');
    t.equal(said === 'none' ? '' : said, String(configured === 0 && said === 'none' ? '' : configured), name);
  }
});

t.test('every command, option, connector type and method has its place', async (t) => {
  const cli = read('cli.md');
  for (const { path, command } of allCommands(createProgram())) {
    if (command.commands.length > 0) continue;
    const [, section = ''] = cli.split(`\n## headgate ${path}\n`);
    t.not(section, '', path);
    const own = section.split('\n## ', 1)[0] ?? '';
    for (const { flags } of command.options) t.ok(own.includes(`| \`${flags}\` |`), `${path} ${flags}`);
  }
  const connectors = read('connectors.md');
  for (const { type, methods } of allDrivers.catalogue()) {
    const [, section = ''] = connectors.split(`\n### Methods of ${type}\n`);
    const own = section.split('\n## ', 1)[0] ?? '';
    for (const { name } of methods) t.ok(own.includes(`| \`${name}\` |`), `${type}.${name}`);
  }
});
