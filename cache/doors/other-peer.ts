import { isLoopbackHost } from '../../fetch/index.ts';

/** Whether this is the address of a peer on another machine: all clients of this one share the address of a local peer. */
export function isOtherPeer(from: string, isPeer: ((address: string) => boolean) | undefined): boolean {
  return isPeer?.(from) === true && !isLoopbackHost(from);
}
