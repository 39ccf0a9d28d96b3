/** Why an address cannot be listened on, in words for an operator. */

export interface ListenFault {
  isOfHost: boolean;
  reason: string;
}

export function describeListenFault(error: unknown): ListenFault {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const ofHost = Object.hasOwn(HOST_FAULTS, code) ? HOST_FAULTS[code] : undefined;
  const ofPort = Object.hasOwn(PORT_FAULTS, code) ? PORT_FAULTS[code] : undefined;
  return { isOfHost: ofHost !== undefined, reason: ofHost ?? ofPort ?? message };
}

/** By the system's code. */
const HOST_FAULTS: Readonly<Record<string, string>> = {
  EADDRNOTAVAIL: 'this machine does not have this address',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'cannot look up the host name',
};
const PORT_FAULTS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'it is already in use',
  EACCES: 'this user may not use it',
};
