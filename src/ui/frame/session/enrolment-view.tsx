import { type ReactNode, useEffect, useState } from 'react';
import type { components } from '../../../client/openapi-types.ts';
import { useTexts } from '../../texts/texts-context.tsx';

export type Enrolment = components['schemas']['TotpEnrolment'];

/** What a new user needs for the second step, shown once: the QR code, its text, and recovery codes to download. */
export function EnrolmentView({ enrolment }: { readonly enrolment: Enrolment }): ReactNode {
  const { enrolment: texts } = useTexts();
  const image = `data:image/svg+xml,${encodeURIComponent(enrolment.qr_svg)}`;
  return (
    <div className="stack">
      <section className="stack" aria-labelledby="enrolment-app">
        <h2 id="enrolment-app">{texts.appTitle}</h2>
        <p>{texts.appText}</p>
        <img className="qr" src={image} alt={texts.qrAlt} width={180} height={180} />
        <details>
          <summary>{texts.secretTitle}</summary>
          <code className="code-block">{enrolment.secret}</code>
        </details>
      </section>
      <section className="stack" aria-labelledby="enrolment-recovery">
        <h2 id="enrolment-recovery">{texts.recoveryTitle}</h2>
        <p>{texts.recoveryText}</p>
        <ul className="recovery-codes">
          {enrolment.recovery_codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <DownloadLink name="headgate-recovery-codes.txt" lines={enrolment.recovery_codes}>
          {texts.download}
        </DownloadLink>
      </section>
    </div>
  );
}

interface DownloadLinkProps {
  readonly name: string;
  readonly lines: readonly string[];
  readonly children: ReactNode;
}

/** The file exists in this browser only. */
function DownloadLink({ name, lines, children }: DownloadLinkProps): ReactNode {
  const [url, setUrl] = useState('');
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([`${lines.join('\n')}\n`], { type: 'text/plain' }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [lines]);
  return (
    <a className="button" data-style="secondary" href={url} download={name}>
      {children}
    </a>
  );
}
