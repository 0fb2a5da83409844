import { defineEvent } from '../kernel/index.ts';
import type { ServerId } from '../soif/index.ts';

/** A Registry could not follow its own store; the next change tries again. */
export const directoryFailed = defineEvent<{ readonly error: unknown }>('garner:registry:directory-failed');

/** A Registry could not remove what has ended; it tries again a minute later. */
export const upkeepFailed = defineEvent<{ readonly error: unknown }>('garner:registry:upkeep-failed');

/** A Registry did not take a server's registration; it is sent again later. */
export const registrationFailed = defineEvent<{ readonly registry: string; readonly error: unknown }>(
  'garner:registry:registration-failed',
);

/** A server that a Registry listed for somebody else did not answer; it is asked again until its lease ends. */
export const foreignServerSilent = defineEvent<{ readonly url: string; readonly error: unknown }>(
  'garner:registry:foreign-server-silent',
);

/** Another Registry lists a server with another key than the one that is known here, so it is not taken from there. */
export const keyConflict = defineEvent<{ readonly server: ServerId; readonly url: string }>(
  'garner:registry:key-conflict',
);

/** A Registry could not look at the others; it tries again in a second. */
export const replicasFailed = defineEvent<{ readonly error: unknown }>('garner:registry:replicas-failed');

/** The list of changed keys of a Registry could not be read; it is tried again at the next renewal. */
export const keysNotRead = defineEvent<{ registry: string; error: unknown }>('garner:registry:keys');
