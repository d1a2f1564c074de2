import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { LonePage } from '../../frame/layout/lone-page.tsx';
import { SignInForm } from '../../frame/session/sign-in-form.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { innerPath } from './inner-path.ts';

/** Where those who are not signed in begin. Afterwards they are where they wanted to go. */
export function SignInScreen(): ReactNode {
  const { signIn } = useTexts();
  const { next } = useSearch({ from: '/sign-in' });
  const navigate = useNavigate();
  return (
    <LonePage title={signIn.title}>
      <SignInForm onDone={() => void navigate({ href: innerPath(next) ?? '/', replace: true })} />
    </LonePage>
  );
}
