import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTexts } from '../../texts/texts-context.tsx';
import { LonePage } from './lone-page.tsx';

/** For an address that leads to no screen. */
export function NotFound(): ReactNode {
  const { notFound } = useTexts().frame;
  return (
    <LonePage title={notFound.title}>
      <p>{notFound.text}</p>
      <Link to="/" className="button">
        {notFound.home}
      </Link>
    </LonePage>
  );
}
