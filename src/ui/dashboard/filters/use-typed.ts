import { useEffect, useRef, useState } from 'react';

const delayMs = 400;

/** A text that is typed, and given on once the typing pauses. A new `text` from outside replaces it. */
export function useTyped(
  text: string,
  onPause: (text: string) => void,
): readonly [string, (text: string) => void] {
  const [typed, setTyped] = useState(text);
  const give = useRef(onPause);
  give.current = onPause;
  useEffect(() => setTyped(text), [text]);
  useEffect(() => {
    if (typed === text) return;
    const timer = setTimeout(() => give.current(typed), delayMs);
    return () => clearTimeout(timer);
  }, [typed, text]);
  return [typed, setTyped];
}
