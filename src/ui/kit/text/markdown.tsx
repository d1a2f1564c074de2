import { type ReactNode, useMemo } from 'react';
import { type Inline, parseMarkdown } from './parse-markdown.ts';
import { isExternal, safeUrl } from './safe-url.ts';

/** Renders the safe subset of Markdown as elements; no string is ever parsed as HTML. */
export function Markdown({ source }: { readonly source: string }): ReactNode {
  const blocks = useMemo(() => parseMarkdown(source), [source]);
  return (
    <div className="markdown">
      {blocks.map((block, index) => {
        const key = `${index}`;
        if (block.kind === 'paragraph') return <p key={key}>{lines(block.lines)}</p>;
        const List = block.ordered ? 'ol' : 'ul';
        return (
          <List key={key}>
            {block.items.map((item, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: parsed items have no other identity
              <li key={at}>{inlines(item)}</li>
            ))}
          </List>
        );
      })}
    </div>
  );
}

function lines(all: readonly (readonly Inline[])[]): ReactNode {
  return all.map((line, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parsed lines have no other identity
    <span key={at}>
      {at > 0 && ' '}
      {inlines(line)}
    </span>
  ));
}

function inlines(parts: readonly Inline[]): ReactNode {
  return parts.map((part, index) => {
    const key = `${index}`;
    switch (part.kind) {
      case 'text':
        return part.text;
      case 'code':
        return <code key={key}>{part.text}</code>;
      case 'strong':
        return <strong key={key}>{inlines(part.children)}</strong>;
      case 'emphasis':
        return <em key={key}>{inlines(part.children)}</em>;
      case 'link':
        return (
          <SafeLink key={key} href={part.href}>
            {inlines(part.children)}
          </SafeLink>
        );
      default:
        return part satisfies never;
    }
  });
}

interface SafeLinkProps {
  readonly href: unknown;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A link if the URL is safe, otherwise just its text. Other sites open in a new tab and get no referrer. */
export function SafeLink({ href, className, children }: SafeLinkProps): ReactNode {
  const url = safeUrl(href);
  if (url === null) return <span className={className}>{children}</span>;
  const beside = isExternal(url) ? { target: '_blank', rel: 'noopener noreferrer' } : {};
  return (
    <a href={url} className={className} {...beside}>
      {children}
    </a>
  );
}
