import { special } from '../declare/value.ts';
import { integer, text, texts } from '../declare/values.ts';

const NAME_CHARS_MAX = 200;
const NAME = '^(?!\\s)(?![\\s\\S]*\\s$)[^\\u0000-\\u001f\\u007f]+$';
const TEXT = text('', { required: true, charsMax: NAME_CHARS_MAX });
const NAME_FORM = new RegExp(NAME);

/** The keys with which tasks and job templates begin; `noun` is what editors call the document. */
export function headerKeys(noun: string) {
  return {
    version: special('Version of the language: 1, the default.', { const: 1 }, (reader, key): 1 => {
      const version = reader.value(key);
      if (version !== null && version !== 1)
        reader.wrong(key, `"version" must be 1, not "${String(version)}"`);
      return 1;
    }),
    name: special(
      `Name of the ${noun}: one line of at most ${NAME_CHARS_MAX} characters.`,
      { type: 'string', minLength: 1, maxLength: NAME_CHARS_MAX, pattern: NAME },
      (reader, key) => {
        const name = TEXT.read(reader, key);
        if (name !== '' && !NAME_FORM.test(name))
          reader.wrong(key, '"name" must be one line without leading or trailing spaces');
        return name;
      },
      { required: true },
    ),
    description: text(`What the ${noun} is for.`),
    labels: texts(
      noun === 'task'
        ? 'Labels required of the executors that run it, such as `region: eu`.'
        : 'Labels to find it by, such as `team: sales`.',
    ),
  };
}

/** How many runs of one thing may be running at once. */
export function runLimit(words: string) {
  return integer(words, { min: 1, max: 1_000, required: true });
}
