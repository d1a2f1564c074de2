import { type ReactNode, useEffect } from 'react';
import { Brand } from '../../kit/brand.tsx';
import { useProductName } from '../state/branding-query.ts';
import { LanguageChoice } from './choices.tsx';

interface LonePageProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** A page without navigation: before there is a session, or where there is nothing else to show. */
export function LonePage({ title, children }: LonePageProps): ReactNode {
  const product = useProductName();
  useEffect(() => {
    document.title = `${title} · ${product}`;
  }, [title, product]);
  return (
    <main className="lone-page">
      <Brand branding={{ product_name: product }} />
      <h1>{title}</h1>
      {children}
      <LanguageChoice />
    </main>
  );
}
