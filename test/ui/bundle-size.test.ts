import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync, gzipSync } from 'node:zlib';
import t from 'tap';
import { buildPages } from './support/build-pages.ts';

const distUi = join(dirname(fileURLToPath(import.meta.url)), '../../dist/ui');
const assets = join(distUi, 'assets');
const shareFirstBytesMax = 90_000;
const shareBytesMax = 250_000;
const appFirstBytesMax = 200_000;
const screenBytesMax = 120_000;

await buildPages();
const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'));
const text = (name: string) => readFileSync(join(assets, name), 'utf8');
/** As the server sends it to a browser that takes Brotli. */
const size = (names: Iterable<string>) =>
  [...names].reduce((sum, name) => sum + statSync(join(assets, `${name}.br`)).size, 0);

function firstOf(page: string): readonly string[] {
  const html = readFileSync(join(distUi, page), 'utf8');
  t.notMatch(html, /<script>|<style|style=| on\w+=/, `${page}: nothing inline that the policy would refuse`);
  return scripts.filter((name) => html.includes(`/assets/${name}`));
}

/** These scripts with all that they may fetch. */
function reached(names: readonly string[]): Set<string> {
  const found = new Set(names);
  for (const name of found) for (const other of scripts) if (text(name).includes(other)) found.add(other);
  return found;
}

t.test('the share page stays within its budget of compressed JavaScript', async (t) => {
  const first = firstOf('share.html');
  t.ok(first.length >= 2);
  t.ok(size(first) < shareFirstBytesMax, `${size(first)} bytes before charts`);
  const all = reached(first);
  t.ok(all.size > first.length, 'the charting library is a file of its own');
  t.ok(size(all) < shareBytesMax, `${size(all)} bytes in all`);
});

t.test('the page for those who sign in does, at its start and for each screen', async (t) => {
  const first = firstOf('app.html');
  const gzipped = first.reduce((sum, name) => sum + gzipSync(text(name)).length, 0);
  t.ok(gzipped < appFirstBytesMax, `${gzipped} bytes at first, with gzip`);
  const screens = scripts.filter((name) => /-screen-[\w-]+\.js$/.test(name));
  t.ok(screens.length >= 2);
  for (const screen of screens) {
    const own = [...staticImports(screen)].filter((name) => !first.includes(name));
    t.ok(size(own) < screenBytesMax, `${screen}: ${size(own)} bytes`);
  }
});

/** A script with those that it imports at once. */
function staticImports(name: string): Set<string> {
  const found = new Set([name]);
  for (const one of found)
    for (const [, other = ''] of text(one).matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) found.add(other);
  return found;
}

t.test('each asset is there as the server sends it compressed', async (t) => {
  for (const name of readdirSync(assets).filter((one) => !one.endsWith('.br')))
    t.equal(brotliDecompressSync(readFileSync(join(assets, `${name}.br`))).toString(), text(name), name);
});
