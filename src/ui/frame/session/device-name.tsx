import type { ReactNode } from 'react';
import { useTexts } from '../../texts/texts-context.tsx';
import { deviceOf } from './device-of.ts';

export interface SignedInFrom {
  readonly user_agent: string;
  readonly address: string;
}

/** The browser and system of a sign-in session in words, its address where it names none. */
export function useDeviceName(): (session: SignedInFrom) => string {
  const { account } = useTexts();
  return ({ user_agent, address }) => {
    const device = deviceOf(user_agent);
    if (device === null) return address;
    return device.system === null ? device.program : account.deviceOn(device.program, device.system);
  };
}

/** The same as the name of a record; all that the browser sent is its title. */
export function DeviceName({ session }: { readonly session: SignedInFrom }): ReactNode {
  const nameOf = useDeviceName();
  return (
    <span className="record-name" title={session.user_agent}>
      {nameOf(session)}
    </span>
  );
}
