import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Icon } from '../../../kit/icon.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import { kioskSearch } from './kiosk-search.ts';

/** Leads to these dashboards in turn, on the whole screen where the browser can. */
export function KioskLink({ ids }: { readonly ids: readonly number[] }): ReactNode {
  const { kiosk } = useTexts().dashboards;
  const fill = () => void document.documentElement.requestFullscreen?.().catch(() => undefined);
  return (
    <Link
      to="/kiosk"
      search={kioskSearch({ dashboards: ids.join(',') })}
      className="button"
      data-style="secondary"
      title={kiosk.hint}
      onClick={fill}
    >
      <Icon name="play" />
      {kiosk.title}
    </Link>
  );
}
