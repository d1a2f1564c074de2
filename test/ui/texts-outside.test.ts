import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import ts from 'typescript';

const ui = join(dirname(fileURLToPath(import.meta.url)), '../../src/ui');
/** What people read is in these alone. */
const catalogues = /^texts\//;
/** The reference of the language, which is English in every editor, as the schemas of its keys are; and the YAML that one begins with. */
const reference =
  /^(frame\/definitions\/completion\/(expression-functions|schema-completion)|screens\/templates\/start-(?:template|dashboard))\.ts$/;
/** Attributes and properties that people read, or hear. */
const read = new Set([
  'alt',
  'aria-label',
  'confirm',
  'dismiss',
  'emptyText',
  'hint',
  'label',
  'placeholder',
  'summary',
  'term',
  'title',
]);
/** A word that begins with a capital letter, alone or before others: a name of a key or a class is none. */
const sentence = /^\s*\p{Lu}\p{Ll}+(?:[ ,.…:!?’“–-]|$)/u;
/** What is written as it is in every language. */
const names =
  /^\s*(Headgate|Edge|Opera|Samsung Internet|Firefox|Chrome|Safari|Android|Windows|Linux|CSV|NDJSON|args|Idempotency-Key|If-Match|Content-Type.*|Home|End|Tab|Enter|Escape|Backspace|Delete|Arrow\w+|Page\w+|Bearer .*|Mod-.*|Ctrl.*|Shift.*)\s*$/;

interface Found {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

t.test('no text that people read is outside the catalogues', async (t) => {
  const files = readdirSync(ui, { recursive: true, encoding: 'utf8' })
    .filter(
      (file) =>
        /\.tsx?$/.test(file) && !catalogues.test(file) && !reference.test(file) && !file.endsWith('.d.ts'),
    )
    .sort();
  t.ok(files.length > 300);
  const found = files.flatMap(textsIn).map(({ file, line, text }) => `${file}:${line}: ${text}`);
  t.same(found, []);
});

function textsIn(file: string): Found[] {
  const path = join(ui, file);
  const source = ts.createSourceFile(
    path,
    readFileSync(path, 'utf8'),
    ts.ScriptTarget.Latest,
    true,
    kindOf(file),
  );
  const found: Found[] = [];
  const visit = (node: ts.Node): void => {
    const text = textOf(node);
    if (text !== null) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      found.push({ file: relative('.', file), line: line + 1, text: text.trim().replace(/\s+/g, ' ') });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function kindOf(file: string): ts.ScriptKind {
  return file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
}

/** The text of a node that people would read; null for anything else. */
function textOf(node: ts.Node): string | null {
  if (ts.isJsxText(node)) return /\p{L}{2}/u.test(node.text) && !names.test(node.text) ? node.text : null;
  const isText =
    ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateExpression(node);
  if (!isText || isForPrograms(node)) return null;
  const text = ts.isTemplateExpression(node) ? node.head.text : node.text;
  if (names.test(text)) return null;
  const isRead = read.has(nameOf(node.parent)) && /\p{L}{2}/u.test(text) && !ts.isTypeNode(node.parent);
  return sentence.test(text) || (isRead && ts.isJsxAttribute(node.parent)) ? node.getText() : null;
}

function nameOf(parent: ts.Node): string {
  return ts.isJsxAttribute(parent) || ts.isPropertyAssignment(parent) ? parent.name.getText() : '';
}

/** Types, modules, and what is said to whoever changes the program: errors, and a missing provider. */
function isForPrograms(node: ts.Node): boolean {
  for (let at: ts.Node | undefined = node.parent; at !== undefined; at = at.parent) {
    if (ts.isTypeNode(at) || ts.isImportDeclaration(at) || ts.isExternalModuleReference(at)) return true;
    if (ts.isThrowStatement(at) || (ts.isNewExpression(at) && at.expression.getText().endsWith('Error')))
      return true;
    if (ts.isCallExpression(at) && at.expression.kind === ts.SyntaxKind.SuperKeyword) return true;
    // Like a body of the API, whose messages are English.
    if (ts.isObjectLiteralExpression(at) && /^\{\s*error: '[A-Z_]+'/.test(at.getText())) return true;
    if (ts.isBlock(at)) return false;
  }
  return false;
}

t.test('German texts have one word for one thing', async (t) => {
  const german = join(ui, 'texts/de');
  const files = readdirSync(german, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  t.ok(files.length > 15);
  // "Abgewiesene Zeilen", and "fehlschlagen".
  for (const file of files)
    t.notMatch(readFileSync(join(german, file), 'utf8'), /Dead Letter|[Ss]cheiter/, file);
});
