import { didYouMean } from '../../../../base/text/suggest-name.ts';

/** Digest of the `package-lock.json` that the packages of a JavaScript step come with. */
export const PACKAGES_LOCK = /^\s*sha256:[0-9a-f]{64}\s*$/;
const NAME = '[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?';
/** A package, its extras, and versions or a marker: never a URL, a path or an option of the installer. */
export const REQUIREMENT = new RegExp(
  `^\\s*(${NAME})\\s*(?:\\[[^\\]]*\\])?\\s*(?:[<>=!~(;](?:[^@\\n\\s]|[^\\S\\n](?!-))*)?\\s*$`,
);
/** `name==version ; marker --hash=sha256:…`, as `uv pip compile --generate-hashes` writes it. */
const LOCKED = new RegExp(
  `^(${NAME})(?:\\[[^\\]]*\\])?==([^\\s;]+)(?:\\s*;[^\\n]*?)?((?:\\s+--hash=sha256:[0-9a-f]{64})+)$`,
);

/** What a lock of Python has in it, or nothing but comments; the lines are read by `pythonLockProblem`. */
export const PYTHON_LOCK = /^\s*(?:#[\s\S]*)?$|==[^\s;][\s\S]*\s--hash=sha256:[0-9a-f]{64}/;

/** What is wrong with an item of `dependencies`, or null. */
export function dependencyProblem(dependency: string): string | null {
  if (REQUIREMENT.test(dependency)) return null;
  return `"${dependency}" is not an index package; write a name with a version specifier, such as "requests>=2.32,<3"`;
}

/** What is wrong with a lock of Python's `dependencies`, or null; how to make one is part of it. */
export function pythonLockProblem(lock: string, dependencies: readonly string[]): string | null {
  const locked = new Set<string>();
  for (const line of lockLines(lock)) {
    const name = LOCKED.exec(line)?.[1];
    if (name === undefined)
      return `The lock has "${line.slice(0, 100)}": every line must be name==version with a --hash=sha256:… for each of its files`;
    locked.add(plainName(name));
  }
  for (const dependency of dependencies) {
    const name = REQUIREMENT.exec(dependency)?.[1] ?? '';
    if (name !== '' && !locked.has(plainName(name)))
      return `The lock does not contain "${name}"${didYouMean(plainName(name), [...locked])}; renew it with \`headgate lock\``;
  }
  return null;
}

/** What is wrong with the lock of a step that imports npm packages, or null. */
export function packagesLockProblem(lock: string): string | null {
  if (PACKAGES_LOCK.test(lock)) return null;
  return '"lock" must be sha256: and the SHA-256 digest of the package-lock.json of the packages; `headgate lock` writes it';
}

/** Its lines without comments; one that ends in a backslash continues on the next. */
function lockLines(lock: string): readonly string[] {
  const joined = lock.replaceAll(/\\\r?\n/g, ' ').split(/\r?\n/);
  return joined.map((line) => line.replace(/(?:^|\s)#.*$/, '').trim()).filter((line) => line !== '');
}

/** Names of Python packages are the same whatever their case and separators. */
function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[._-]+/g, '-');
}
