import { X509Certificate } from 'node:crypto';
import { systemClock } from '../../kernel/index.ts';
import { type Holder, nameOfRole } from '../../store/index.ts';
import { count } from '../text/number-formats.ts';
import { type Finding, faulty } from './doctor-check.ts';

/** Days before a certificate expires from which it is mentioned, and from which it is a fault. */
const [soonDays, lateDays] = [30, 7];
const dayMs = 86_400_000;

/** Whether a certificate is valid, and for how long; `renew` is the cure of one that is not for long. */
export function validity(
  { validFrom, validTo, subject }: X509Certificate,
  renew: string,
  server?: string,
): Finding {
  const now = systemClock.now();
  const named = `the certificate of ${subject.replaceAll('\n', ', ')}${server === undefined ? '' : `, which the ${server} presents,`}`;
  const left = Math.floor((Date.parse(validTo) - now) / dayMs);
  const until = `until ${new Date(validTo).toISOString().slice(0, 10)}`;
  if (Date.parse(validFrom) > now)
    return faulty(`${named} is not valid before ${validFrom}`, 'check the clock');
  if (left < 0) return faulty(`${named} was valid ${until}`, renew);
  return {
    ok: left >= lateDays,
    what: `${named} is valid ${until}, ${count(left, 'day')} more`,
    ...(left < soonDays && { cure: renew }),
    ...(left >= lateDays && left < soonDays && { note: true as const }),
  };
}

/** The certificates that running servers present. */
export function certificateFindings(held: readonly Holder[]): readonly Finding[] {
  return held.flatMap(({ role, certificates = [] }) =>
    certificates.map((pem) =>
      validity(
        new X509Certificate(pem),
        `renew it; systemctl reload garner-${role} (SIGHUP) makes a server reload it`,
        nameOfRole(role),
      ),
    ),
  );
}
