import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';

const exactly = { exact: true, includeSearch: true } as const;

interface ViewsProps<V extends string> {
  readonly label: string;
  /** Undefined is the first view, which its address does not name. */
  readonly views: readonly (V | undefined)[];
  textOf(view: V | undefined): string;
  linkTo(view: V | undefined): LinkProps;
}

/** The ways to look at one record, each with an address of its own. */
export function Views<V extends string>({ label, views, textOf, linkTo }: ViewsProps<V>): ReactNode {
  return (
    <nav className="switch" aria-label={label}>
      {views.map((view) => (
        <Link key={view ?? ''} {...linkTo(view)} activeOptions={exactly}>
          {textOf(view)}
        </Link>
      ))}
    </nav>
  );
}
