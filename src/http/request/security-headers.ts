import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet, { type HelmetOptions } from 'helmet';

const CSP = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", 'data:'],
  connectSrc: ["'self'"],
  fontSrc: ["'self'"],
  manifestSrc: ["'self'"],
  baseUri: ["'none'"],
  frameAncestors: ["'none'"],
  formAction: ["'self'"],
};
const YEAR_SECONDS = 31_536_000;

/** Security headers and the content policy: the same for every answer, so that they are worked out once. `https`: people come by it. */
export function securityHeaders({ https }: { readonly https: boolean }): Readonly<Record<string, string>> {
  const options: HelmetOptions = {
    contentSecurityPolicy: { useDefaults: false, directives: CSP },
    strictTransportSecurity: https ? { maxAge: YEAR_SECONDS } : false,
  };
  const headers: Record<string, string> = {};
  const answer = {
    setHeader: (name: string, value: string) => {
      headers[name.toLowerCase()] = value;
    },
    removeHeader: () => undefined,
  };
  helmet(options)({} as IncomingMessage, answer as unknown as ServerResponse, (error?: unknown) => {
    if (error !== undefined) throw error;
  });
  return headers;
}
