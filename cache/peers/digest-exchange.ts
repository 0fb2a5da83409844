import type { Clock } from '../../kernel/index.ts';
import { CacheDigest } from './digest.ts';
import type { DigestFetch } from './digest-fetch.ts';
import { type OwnDigest, renewalMs } from './own-digest.ts';
import type { Peer } from './peer.ts';

const minWaitMs = 10_000;
const maxRetryMs = 600_000;
/** A digest older than this is dropped, even when it states that it is still good. */
const maxAgeMs = 2 * renewalMs;

/** Keep the digest of a peer until the signal aborts; fetch it again when it has expired, or while there is none. */
export async function followDigest(
  peer: Peer,
  options: { readonly fetch: DigestFetch; readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  const { fetch, clock, signal } = options;
  let retryMs = minWaitMs;
  let gotMs = 0;
  while (!signal.aborted) {
    const got = await fetch(peer.config, signal).catch(() => undefined);
    const read = got && CacheDigest.decode(got.bytes);
    const digest = read?.saysNothing === true ? undefined : read;
    if (signal.aborted) return;
    const now = clock.now();
    let waitMs = retryMs;
    if (digest) {
      peer.digest = digest;
      gotMs = now;
      retryMs = minWaitMs;
      waitMs = Math.min(renewalMs, Math.max(minWaitMs, (got?.untilMs ?? now + renewalMs) - now));
    } else {
      if (now - gotMs >= maxAgeMs) peer.digest = undefined;
      retryMs = Math.min(maxRetryMs, retryMs * 2);
    }
    await clock.sleep(waitMs, signal).catch(() => {});
  }
}

/** Keep our own digest: built at once, every hour, and earlier when it is outgrown. */
export async function keepOwnDigest(
  own: OwnDigest,
  options: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  const { clock, signal } = options;
  let untilMs = 0;
  while (!signal.aborted) {
    if (clock.now() >= untilMs || own.outgrown) {
      // A store that cannot be read now may be readable next time.
      await own.renew(signal).catch(() => {});
      untilMs = clock.now() + renewalMs;
    }
    await clock.sleep(60_000, signal).catch(() => {});
  }
}
