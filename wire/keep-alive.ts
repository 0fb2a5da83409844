import { type Clock, failure, type GarnerError } from '../kernel/index.ts';
import { wireErrors } from './errors.ts';
import type { Link } from './link.ts';
import type { LinkMeter } from './link-meter.ts';
import type { WireLimits } from './settings.ts';

/** Ping at an interval until `signal` aborts, and call `onSilent` once when nothing came back for too long. */
export function keepAlive(
  link: Link,
  meter: LinkMeter,
  clock: Clock,
  limits: WireLimits,
  signal: AbortSignal,
  onSilent: (error: GarnerError) => void,
): void {
  let heard = link.bytesRead;
  let heardAt = clock.now();
  const watch = async () => {
    while (!signal.aborted) {
      await clock.sleep(limits.keepAliveSeconds * 1000, signal);
      const silentSeconds = (clock.now() - heardAt) / 1000;
      if (link.bytesRead !== heard) {
        heard = link.bytesRead;
        heardAt = clock.now();
      } else if (silentSeconds >= limits.silentSeconds)
        return onSilent(
          failure(wireErrors.WIRE_SILENT, { where: link.where, seconds: limits.silentSeconds }),
        );
      meter.ping();
    }
  };
  // The only rejection is the sleep's, when the session ends.
  watch().catch(() => {});
}
