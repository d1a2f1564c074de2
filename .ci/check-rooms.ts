/**
 * What `npm run check` says of the layout of src and workers that no other tool can: no folder with more than 15 files side by
 * side, and only the four start files at the root of src.
 */
import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';

const filesPerFolderMax = 15;
const rootFiles = ['config.ts', 'main.ts', 'settings.ts', 'version.ts'];

const root = join(import.meta.dirname, '..');
const files = globSync('{src,workers}/**/*.{ts,tsx}', { cwd: root });
const counts = new Map<string, number>();
for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);

const problems = [...counts]
  .filter(([, count]) => count > filesPerFolderMax)
  .map(
    ([folder, count]) => `${folder} has ${count} files side by side, at most ${filesPerFolderMax}: re-cut it`,
  );
for (const file of globSync('src/*', { cwd: root, exclude: (name) => !name.includes('.') })) {
  if (!rootFiles.includes(file.slice('src/'.length)))
    problems.push(`${file} belongs in a room: the root is full`);
}
if (files.length === 0) problems.push('no file was found');
for (const problem of problems) console.log(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
