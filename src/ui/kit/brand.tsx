import { type ReactNode, useState } from 'react';
import type { BrandingPayload } from '../api/dashboard-payload.ts';
import { safeImageUrl } from './text/safe-url.ts';

export const defaultProductName = 'Headgate';

/** The product's logo, or its name beside Headgate's mark. */
export function Brand({ branding }: { readonly branding: BrandingPayload | null | undefined }): ReactNode {
  const [broken, setBroken] = useState(false);
  const name = branding?.product_name || defaultProductName;
  const logo = safeImageUrl(branding?.logo_url);
  return (
    <p className="brand">
      {logo !== null && !broken ? (
        <img src={logo} alt={name} height={24} onError={() => setBroken(true)} />
      ) : (
        <>
          <svg width="20" height="20" viewBox="0 0 32 32" aria-hidden="true">
            <rect width="32" height="32" rx="7" className="brand-tile" />
            <path d="M9 7v18M23 7v18M9 13h14" className="brand-gate" />
            <path d="M9 20c2.3-2 4.7-2 7 0s4.7 2 7 0" className="brand-water" />
          </svg>
          <span>{name}</span>
        </>
      )}
    </p>
  );
}
