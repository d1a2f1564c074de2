import { Link, type LinkProps, type NavigateOptions, useNavigate, useSearch } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import { PaletteAction } from '../palette/palette-action.tsx';

const exactly = { exact: true, includeSearch: true } as const;

interface ViewsProps<V extends string> {
  readonly label: string;
  /** Undefined is the first view, which its address does not name. */
  readonly views: readonly (V | undefined)[];
  textOf(view: V | undefined): string;
  linkTo(view: V | undefined): LinkProps;
}

/** The ways to look at one record, each with an address of its own: `view` in its search, beside what a view keeps there. */
export function Views<V extends string>({ label, views, textOf, linkTo }: ViewsProps<V>): ReactNode {
  const navigate = useNavigate();
  const { view: current } = useSearch({ strict: false });
  return (
    <nav className="switch" aria-label={label}>
      {views.map((view) => (
        <Fragment key={view ?? ''}>
          <Link
            {...linkTo(view)}
            activeOptions={exactly}
            aria-current={view === current ? 'page' : undefined}
          >
            {textOf(view)}
          </Link>
          <PaletteAction label={textOf(view)} run={() => void navigate(linkTo(view) as NavigateOptions)} />
        </Fragment>
      ))}
    </nav>
  );
}
