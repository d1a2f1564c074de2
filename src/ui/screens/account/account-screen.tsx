import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loaded } from '../../frame/layout/loaded.tsx';
import { Screen } from '../../frame/layout/screen.tsx';
import { meQuery } from '../../frame/session/session.ts';
import { useApi } from '../../frame/state/api-context.ts';
import { useTexts } from '../../texts/texts-context.tsx';
import { wordOf } from '../../texts/word-of.ts';
import { ApiKeysSection } from './api-keys-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { SessionsSection } from './sessions-section.tsx';

/** What concerns the signed-in user alone. */
export function AccountScreen(): ReactNode {
  const { account, admin } = useTexts();
  const me = useQuery(meQuery(useApi()));
  return (
    <Screen title={account.title}>
      <div className="sections">
        <Loaded query={me} lines={1}>
          {({ name, email, role }) => (
            <p className="account-self">
              <strong>{name}</strong> · {email} · {account.role}: {wordOf(admin.roles, role)}
            </p>
          )}
        </Loaded>
        <ApiKeysSection />
        <SessionsSection />
        <PasswordSection />
      </div>
    </Screen>
  );
}
