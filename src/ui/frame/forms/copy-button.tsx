import { type ReactNode, useEffect, useState } from 'react';
import { Icon } from '../../kit/icon.tsx';
import { useTexts } from '../../texts/texts-context.tsx';

const shownMs = 2_000;

/** Puts a text on the clipboard and says so. Absent where the browser has none, as without https. */
export function CopyButton({ text }: { readonly text: string }): ReactNode {
  const { frame } = useTexts();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), shownMs);
    return () => clearTimeout(timer);
  }, [copied]);
  if (navigator.clipboard === undefined) return null;
  return (
    <button
      type="button"
      className="button"
      data-style="secondary"
      onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
    >
      {copied && <Icon name="check" />}
      <span role="status">{copied ? frame.copied : frame.copy}</span>
    </button>
  );
}
