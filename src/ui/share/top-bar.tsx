import type { ReactNode } from 'react';
import type { BrandingPayload } from '../api/dashboard-payload.ts';
import { Brand } from '../kit/brand.tsx';
import { Icon } from '../kit/icon.tsx';
import { useTheme } from '../kit/theme/use-theme.ts';
import { useWords } from '../texts/words-context.ts';

interface TopBarProps {
  readonly branding?: BrandingPayload | null | undefined;
  readonly children?: ReactNode;
}

/** The sticky top bar: branding, freshness and the theme switch. */
export function TopBar({ branding, children }: TopBarProps): ReactNode {
  const words = useWords();
  const { theme, toggle } = useTheme();
  const next = theme === 'dark' ? 'light' : 'dark';
  return (
    <header className="top-bar">
      <div className="top-bar-inner">
        <Brand branding={branding} />
        {children}
        <button
          type="button"
          className="icon-button"
          aria-label={words.share.themes[next]}
          title={words.share.themes[next]}
          onClick={toggle}
        >
          <Icon name={theme === 'dark' ? 'sun' : 'moon'} />
        </button>
      </div>
    </header>
  );
}
