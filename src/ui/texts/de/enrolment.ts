import type { enrolment as english } from '../en/enrolment.ts';

export const enrolment: typeof english = {
  appTitle: '1. Headgate in die Authenticator-App aufnehmen',
  appText:
    'Scannen Sie diesen Code mit einer App für Einmalcodes, etwa Aegis, 1Password oder Google Authenticator.',
  qrAlt: 'QR-Code für die Authenticator-App',
  secretTitle: 'Scannen nicht möglich?',
  recoveryTitle: '2. Wiederherstellungscodes aufbewahren',
  recoveryText:
    'Mit jedem Code können Sie sich einmal anmelden, wenn Sie die App nicht mehr haben. Die Codes werden nur jetzt angezeigt.',
  download: 'Codes herunterladen',
};
