import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { buildPages } from './support/build-pages.ts';

const distUi = join(dirname(fileURLToPath(import.meta.url)), '../../dist/ui');
const firstBytesMax = 90_000;
const totalBytesMax = 250_000;

t.test('the share page stays within its budget of compressed JavaScript', async (t) => {
  await buildPages();
  const html = readFileSync(join(distUi, 'share.html'), 'utf8');
  const size = (path: string) => gzipSync(readFileSync(join(distUi, path))).length;
  const first = [...html.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map((match) => match[1] ?? '');
  t.ok(first.length >= 2);
  const firstBytes = first.reduce((sum, path) => sum + size(path), 0);
  t.ok(firstBytes < firstBytesMax, `${firstBytes} bytes before charts`);
  const later = readdirSync(join(distUi, 'assets')).filter((name) => name.endsWith('.js'));
  const rest = later.map((name) => `assets/${name}`).filter((path) => !first.includes(path));
  t.ok(rest.length > 0, 'the charting library is a file of its own');
  const totalBytes = rest.reduce((sum, path) => sum + size(path), firstBytes);
  t.ok(totalBytes < totalBytesMax, `${totalBytes} bytes in all`);
  t.notMatch(html, /<script>|<style|style=| on\w+=/, 'nothing inline that the policy would refuse');
});
