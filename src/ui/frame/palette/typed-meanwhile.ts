import { useEffect, useRef } from 'react';

/**
 * What is typed after the palette was asked for and before it is there: keys go to nothing else meanwhile. Returns a function that
 * the palette takes the text with when it appears; from then on its own field has the keys.
 */
export function useTypedMeanwhile(isOpen: boolean, onEscape: () => void): () => string {
  const state = useRef({ text: '', isThere: false });
  const latest = useRef(onEscape);
  latest.current = onEscape;
  useEffect(() => {
    if (!isOpen) return;
    const onKeyDown = (event: KeyboardEvent) => {
      const { current } = state;
      if (current.isThere || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      if (event.key === 'Escape') latest.current();
      else if (event.key === 'Backspace') current.text = current.text.slice(0, -1);
      else if ([...event.key].length === 1) current.text += event.key;
    };
    addEventListener('keydown', onKeyDown, true);
    return () => {
      removeEventListener('keydown', onKeyDown, true);
      state.current = { text: '', isThere: false };
    };
  }, [isOpen]);
  return () => {
    state.current.isThere = true;
    return state.current.text;
  };
}
