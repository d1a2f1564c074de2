import { useContext } from 'react';
import { type InputWords, inputs } from './en/widgets/inputs.ts';
import { WordsContext } from './words-context.ts';

/** The texts of inputs: `useInputWords().save`. */
export function useInputWords(): InputWords {
  return useContext(WordsContext).inputs ?? inputs;
}
