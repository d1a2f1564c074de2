import { AppError } from '../../base/errors.ts';
import { ANSWER_CHARS_MAX, type ModelQuestion } from './model.ts';

/** Puts the pieces of a streamed answer together. `CONNECTOR_ERROR` beyond `ANSWER_CHARS_MAX`. */
export class TextGatherer {
  readonly #onText: ModelQuestion['onText'];
  #text = '';

  constructor(onText: ModelQuestion['onText']) {
    this.#onText = onText;
  }

  get text(): string {
    return this.#text;
  }

  async add(piece: unknown): Promise<void> {
    if (typeof piece !== 'string' || piece === '') return;
    this.#text += piece;
    if (this.#text.length > ANSWER_CHARS_MAX)
      throw new AppError(
        'CONNECTOR_ERROR',
        `The model's answer is longer than ${ANSWER_CHARS_MAX} characters`,
      );
    await this.#onText?.(piece);
  }
}
