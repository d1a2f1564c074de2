import { existsSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import t from 'tap';
import { packageFiles } from '../../.ci/package-files.ts';
import { anchorsOf, markdownFiles, proseOf, readMarkdown, root } from './markdown-files.ts';

interface Link {
  readonly from: string;
  readonly target: string;
}

/** Links and pictures of a file: Markdown's own and HTML's. */
function linksOf(from: string): readonly Link[] {
  const prose = proseOf(readMarkdown(from));
  const found = [
    ...prose.matchAll(/\]\(([^)\s]+)(?:\s+"[^"]*")?\)/g),
    ...prose.matchAll(/\b(?:src|srcset|href)="([^"\s]+)"/g),
  ];
  return found
    .map(([, target = '']) => ({ from, target }))
    .filter(({ target }) => !/^(https?|mailto):/.test(target));
}

const links = markdownFiles.flatMap(linksOf);

t.test('every link leads to a file, and every anchor to a heading of it', async (t) => {
  t.ok(links.length > 40, `${links.length} links`);
  const broken = links.flatMap(({ from, target }) => {
    const [path = '', anchor] = target.split('#', 2);
    const file = path === '' ? from : normalize(join(dirname(from), path));
    if (!existsSync(join(root, file))) return [`${from}: ${target}`];
    if (anchor === undefined) return [];
    const isThere = file.endsWith('.md') && anchorsOf(readMarkdown(file)).has(anchor);
    return isThere ? [] : [`${from}: ${target} (no such heading)`];
  });
  t.same(broken, []);
});

t.test('every page of docs/ is reached from its index, and the index from the README', async (t) => {
  const reached = new Set(['README.md']);
  for (const file of reached) {
    if (!file.endsWith('.md') || !existsSync(join(root, file))) continue;
    for (const { target } of linksOf(file)) {
      const path = normalize(join(dirname(file), target.split('#', 1)[0] ?? ''));
      if (statSync(join(root, path), { throwIfNoEntry: false })?.isFile()) reached.add(path);
    }
  }
  t.same(
    markdownFiles.filter((file) => file.startsWith('docs/') && !reached.has(file)),
    [],
  );
});

t.test('every link of the published package leads to something that is in it', async (t) => {
  const isPackaged = (path: string) =>
    packageFiles.some((part) => path === part || path.startsWith(`${part}/`));
  const packaged = links.filter(({ from }) => isPackaged(from));
  t.ok(packaged.length > 40, `${packaged.length} links`);
  const outside = packaged
    .map(({ from, target }) => ({
      from,
      path: normalize(join(dirname(from), target.split('#', 1)[0] ?? '')),
    }))
    .filter(({ from, path }) => !isPackaged(path) && path !== dirname(from) && path !== from);
  t.same(outside, []);
});
