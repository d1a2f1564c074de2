import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { SETTINGS } from '../src/settings.ts';

const root = join(import.meta.dirname, '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const firstCells = [...readme.matchAll(/^\| `([^`]+)`\s+\|/gm)].map(([, cell]) => cell ?? '');

t.test('the README has a line for every setting, and for no other', async (t) => {
  const listed = firstCells.filter((cell) => cell.startsWith('SVC_'));
  t.strictSame(listed.sort(), Object.keys(SETTINGS).sort());
  for (const [name, { path }] of Object.entries(SETTINGS)) {
    const row = new RegExp(`^\\| \`${name}\`\\s+\\| \`${path.join('[.]')}\`\\s+\\|`, 'm');
    t.match(readme, row, `the path of ${name}`);
  }
});

t.test('the README says of every package what it is for', async (t) => {
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  ) as Record<'dependencies' | 'devDependencies', Record<string, string>>;
  const table = readme.slice(readme.indexOf('## Dependencies'));
  const listed = [...table.matchAll(/^\| `([^`]+)`\s+\|/gm)].map(([, cell]) => cell ?? '');
  t.strictSame(listed.sort(), Object.keys({ ...dependencies, ...devDependencies }).sort());
});

t.test('documents link to what exists', async (t) => {
  for (const name of ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md']) {
    const text = readFileSync(join(root, name), 'utf8');
    for (const [, link = ''] of text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)) {
      if (!/^https?:/.test(link)) t.ok(existsSync(join(root, link)), `${name}: ${link}`);
    }
  }
});
