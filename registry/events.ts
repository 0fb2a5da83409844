import { defineEvent } from '../kernel/index.ts';

/** A Registry could not follow its own store; the next change tries again. */
export const directoryFailed = defineEvent<{ readonly error: unknown }>('garner:registry:directory-failed');

/** A Registry could not remove what has ended; it tries again a minute later. */
export const upkeepFailed = defineEvent<{ readonly error: unknown }>('garner:registry:upkeep-failed');

/** A Registry did not take a server's registration; it is sent again later. */
export const registrationFailed = defineEvent<{ readonly registry: string; readonly error: unknown }>(
  'garner:registry:registration-failed',
);

/** The list of changed keys of a Registry could not be read; it is tried again at the next renewal. */
export const keysNotRead = defineEvent<{ registry: string; error: unknown }>('garner:registry:keys');
