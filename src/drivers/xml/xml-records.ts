import { SaxesParser, type SaxesTagNS } from 'saxes';
import { ConnectorError } from '../driver.ts';
import { encodingOf, markOf, type TextEncoding } from '../files/encoding/text-encoding.ts';
import type { OpenedFile } from '../files/storage/file-storage.ts';
import { textChunks } from '../files/text-chunks.ts';
import type { ValueGroup } from '../json/json-records.ts';
import { ROW_LIMITS } from '../row-limits.ts';
import type { XmlConfig } from './config.ts';
import { ElementValue } from './element-value.ts';
import { type ElementName, RowElement } from './row-element.ts';

/** Elements inside each other; more are a mistake, or meant to do harm. */
const depthMax = 200;
/** `<?` in UTF-16 without a mark. */
const WIDE_BEGIN: Readonly<Record<string, TextEncoding>> = { '3c003f00': 'utf-16le', '003c003f': 'utf-16be' };
const DECLARED = /^<\?xml\s[^>]*?encoding\s*=\s*["']([\w.-]+)["']/;
const HEAD_BYTES = 1_024;
const XMLNS = 'http://www.w3.org/2000/xmlns/';

function fault(file: OpenedFile, why: string, cause?: unknown): ConnectorError {
  return new ConnectorError('DATA', `The file "${file.name}" ${why}`, cause === undefined ? {} : { cause });
}

/** What the byte order mark says, else the declaration, which is ASCII in every encoding but UTF-16. */
async function declaredEncoding(file: OpenedFile): Promise<TextEncoding> {
  const head = Buffer.alloc(HEAD_BYTES);
  const { bytesRead } = await file.handle.read(head, 0, HEAD_BYTES, 0);
  const mark = markOf(head.subarray(0, bytesRead));
  if (mark !== null) return mark.encoding;
  const wide = WIDE_BEGIN[head.toString('hex', 0, 4)];
  if (wide !== undefined) return wide;
  const declared = DECLARED.exec(head.toString('latin1', 0, bytesRead))?.[1] ?? 'utf-8';
  const encoding = encodingOf(declared);
  if (encoding === null) throw fault(file, `is in the encoding "${declared}", which nobody knows`);
  // What can be read as ASCII is not in UTF-16, whatever it says.
  return encoding.startsWith('utf-16') ? 'utf-8' : encoding;
}

function attributesOf({ attributes }: SaxesTagNS): (readonly [string, string])[] {
  const own = Object.values(attributes).filter(({ uri }) => uri !== XMLNS);
  return own.map(({ local, value }) => [local, value] as const);
}

/** The elements that are rows, while the text is read. */
class RowReader {
  readonly #file: OpenedFile;
  readonly #parser = new SaxesParser({ xmlns: true });
  readonly #rows: RowElement;
  readonly #open: ElementName[] = [];
  /** The row that is read, and the elements in it that are open. */
  readonly #row: ElementValue[] = [];
  #rowChars = 0;
  #sinceTag = 0;
  #values: unknown[] = [];
  #chars = 0;
  #given = 0;

  constructor(file: OpenedFile, config: XmlConfig) {
    this.#file = file;
    this.#rows = new RowElement(config);
    this.#parser.on('error', (error) => {
      throw fault(
        file,
        `is not well-formed XML (line ${this.#parser.line}: ${error.message.replace(/^\d+:\d+: /, '')})`,
        error,
      );
    });
    this.#parser.on('doctype', () => {
      throw fault(file, 'has a document type, which may define entities: it is refused');
    });
    this.#parser.on('opentag', (tag) => this.#begin(tag));
    this.#parser.on('closetag', () => this.#end());
    this.#parser.on('text', (text) => this.#text(text));
    this.#parser.on('cdata', (text) => this.#text(text));
  }

  write(text: string): void {
    this.#parser.write(text);
    this.#sinceTag += text.length;
    if (this.#sinceTag > 2 * ROW_LIMITS.rowCharsMax) throw this.#tooLarge();
  }

  end(): void {
    this.#parser.close();
  }

  /** The rows since the last time; null for none. */
  taken(): ValueGroup | null {
    if (this.#values.length === 0) return null;
    const group = { values: this.#values, chars: this.#chars, first: this.#given + 1 };
    this.#given += this.#values.length;
    this.#values = [];
    this.#chars = 0;
    return group;
  }

  #begin(tag: SaxesTagNS): void {
    this.#sinceTag = 0;
    if (this.#open.length === 0) this.#requireRoot(tag.local);
    this.#open.push({ local: tag.local, uri: tag.uri });
    if (this.#open.length > depthMax)
      throw fault(
        this.#file,
        `has more than ${depthMax} elements inside each other (line ${this.#parser.line})`,
      );
    if (this.#row.length === 0 && !this.#rows.matches(this.#open)) return;
    const attributes = attributesOf(tag);
    for (const [name, value] of attributes) this.#count(name.length + value.length);
    this.#count(tag.local.length);
    this.#row.push(new ElementValue(tag.local, attributes));
  }

  /** No row could come of another element: it would read as an empty file. */
  #requireRoot(found: string): void {
    const { root } = this.#rows;
    if (root !== null && root !== found)
      throw fault(
        this.#file,
        `begins with the element "${found}", not "${root}": correct the path in "records"`,
      );
  }

  #text(text: string): void {
    const element = this.#row.at(-1);
    if (element === undefined) return;
    this.#count(text.length);
    element.addText(text);
  }

  #end(): void {
    this.#sinceTag = 0;
    this.#open.pop();
    const element = this.#row.pop();
    if (element === undefined) return;
    const parent = this.#row.at(-1);
    if (parent !== undefined) {
      parent.addElement(element.name, element.value);
      return;
    }
    this.#values.push(element.record);
    this.#chars += this.#rowChars;
    this.#rowChars = 0;
  }

  #count(chars: number): void {
    this.#rowChars += chars;
    if (this.#rowChars > ROW_LIMITS.rowCharsMax) throw this.#tooLarge();
  }

  #tooLarge(): ConnectorError {
    return fault(this.#file, `has a row or a text of more than 16 MB (line ${this.#parser.line})`);
  }
}

/** For a file in another encoding than it says. */
function remedy(likely: TextEncoding | null): string {
  return `name its encoding in the XML declaration, such as encoding="${likely ?? 'windows-1252'}"`;
}

/** The elements that are rows, in groups. No entity but XML's own is known, and none is ever expanded. Throws `DATA`. */
export async function* xmlRecords(
  file: OpenedFile,
  config: XmlConfig,
  signal: AbortSignal,
): AsyncGenerator<ValueGroup, void, undefined> {
  const reader = new RowReader(file, config);
  for await (const text of textChunks(file, await declaredEncoding(file), signal, { remedy })) {
    reader.write(text);
    const group = reader.taken();
    if (group !== null) yield group;
  }
  reader.end();
}
