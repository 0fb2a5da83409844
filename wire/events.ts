import { defineEvent, type GarnerError } from '../kernel/index.ts';
import type { Peer, Side } from './hello.ts';
import type { Traffic } from './traffic.ts';

interface SessionFacts {
  readonly peer: Peer;
  readonly where: string;
  readonly side: Side;
  readonly traffic: Traffic;
}

/** A peer is proven and the session carries messages. */
export const sessionOpened = defineEvent<SessionFacts>('garner:wire:session-opened');

/** A session ended; `reason` is absent after an orderly close. */
export const sessionClosed = defineEvent<SessionFacts & { readonly reason: GarnerError | undefined }>(
  'garner:wire:session-closed',
);

/** A caller was refused before it had a session. */
export const callerRefused = defineEvent<{
  readonly where: string;
  /** HTTP status, or 101 when the handshake after the upgrade failed. */
  readonly status: number;
  readonly reason: string;
}>('garner:wire:caller-refused');

/** A handler of this side threw; the peer received only a code. */
export const channelFault = defineEvent<{
  readonly where: string;
  readonly channel: number;
  readonly message: string;
  readonly error: unknown;
}>('garner:wire:channel-fault');
