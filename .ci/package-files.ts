/**
 * What the package has besides its code: files that the program reads at run time, and everything that the documentation leads to.
 * Paths of the checkout, which are the package's too.
 */
export const packageFiles: readonly string[] = [
  'proto',
  'src/engine/script/script_child.py',
  'dist/ui',
  'docs',
  'deploy',
  'examples',
  'bench/RESULTS.md',
  'README.md',
  'CHANGELOG.md',
  'CODE_OF_CONDUCT.md',
  'CONTRIBUTING.md',
  'LICENSE',
  'SECURITY.md',
];
