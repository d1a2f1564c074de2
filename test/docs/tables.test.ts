import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import t from 'tap';
import { codeBlocks, markdownFiles, readMarkdown, root } from './markdown-files.ts';

const cellsOf = (line: string) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
const namesIn = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

t.test('the documentation says of every package what it is for', async (t) => {
  const { dependencies, optionalDependencies, devDependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  ) as Record<'dependencies' | 'optionalDependencies' | 'devDependencies', Record<string, string>>;
  const listed = [...readMarkdown('docs/dependencies.md').matchAll(/^\| `([^`]+)`\s+\| .+ \|$/gm)];
  t.strictSame(
    listed.map(([, name = '']) => name).sort(),
    Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies }).sort(),
  );
});

interface CruiserConfig {
  readonly forbidden: readonly { readonly name: string }[];
}

/** What each room imports besides `base`, as the rules that enforce it are called. */
function enforcedRooms(): ReadonlyMap<string, readonly string[]> {
  const { forbidden } = createRequire(import.meta.url)(
    join(root, '.dependency-cruiser.cjs'),
  ) as CruiserConfig;
  const rules = forbidden.flatMap(({ name }) => {
    const [, room, imports] = /^(\S+) imports base(.*)$/.exec(name) ?? [];
    return room === undefined ? [] : [[room, (imports ?? '').split(', ').filter(Boolean)] as const];
  });
  return new Map(
    rules.map(([room, imports]) => [room, imports.map((path) => path.replace(/\.ts$/, '')).sort()]),
  );
}

/** The rooms in a cell of the table: "language, drivers", "types of language and drivers", or none. */
function roomsIn(cell: string): readonly string[] {
  const words = cell === 'nothing of the above' ? '' : cell.replace(/^types of /, '').replace(' and ', ', ');
  return words.split(', ').filter(Boolean).sort();
}

t.test('the import table of the README is the one that is enforced', async (t) => {
  const [, table = ''] = readMarkdown('README.md').split('| room | what it is | may import |\n');
  const rows = table.slice(0, table.indexOf('\n\n')).split('\n').slice(1).map(cellsOf);
  const listed = new Map(
    rows.flatMap(([rooms = '', , imports = '']) =>
      namesIn(rooms).map((room) => [room.replace(/\/$/, ''), imports] as const),
    ),
  );
  const enforced = enforcedRooms();
  t.ok(enforced.size > 30, `${enforced.size} rooms`);
  const modules = [...enforced.keys()].filter((room) => room.startsWith('src/modules/'));
  for (const [room, imports] of enforced) {
    if (modules.includes(room) || room.startsWith('src/ui/')) continue;
    t.strictSame(roomsIn(listed.get(room) ?? 'no row'), imports, room);
  }
  const first = enforced.get(modules[0] ?? '') ?? [];
  const below = (listed.get('src/modules') ?? '').replace(', and modules before it', '').split(', ');
  t.strictSame(below.sort(), [...first].sort(), 'the first module');
  for (const [index, room] of modules.entries())
    t.strictSame(
      enforced.get(room),
      [...first, ...modules.slice(0, index).map((name) => name.slice(4))].sort(),
      room,
    );
  const order = /^`(health(?:, [a-z-]+)+)`/m.exec(readMarkdown('docs/architecture.md'))?.[1]?.split(', ');
  t.strictSame(
    order,
    modules.map((room) => room.replace('src/modules/', '')),
    'the order of the modules',
  );
});

t.test('every file and folder that a text names is there', async (t) => {
  const missing = markdownFiles
    .filter((file) => !file.startsWith('test/') && file !== 'bench/RESULTS.md')
    .flatMap((file) => {
      const blocks = new Set(codeBlocks(file).map(({ text }) => text));
      const text = [...blocks].reduce((prose, block) => prose.replace(block, ''), readMarkdown(file));
      const paths = namesIn(text).filter((name) =>
        /^(src|workers|test|bench|proto|deploy|examples|docs|\.ci)\/[\w./-]*$/.test(name),
      );
      return paths.filter((path) => !existsSync(join(root, path))).map((path) => `${file}: ${path}`);
    });
  t.same(missing, []);
});
