import { Attributes, type SummaryObject, summaryObject } from '../../soif/index.ts';

/** What a Gatherer writes about itself into every summary. */
export interface Stamp {
  readonly name: string;
  readonly host: string;
  readonly ttlSeconds: number;
  readonly refreshSeconds: number;
}

/** The attributes of a stamp. */
function stampFields({ name, host, ttlSeconds, refreshSeconds }: Stamp) {
  return [
    [Attributes.timeToLive, String(ttlSeconds)],
    [Attributes.refreshRate, String(refreshSeconds)],
    [Attributes.gathererName, name],
    [Attributes.gathererHost, host],
  ] as const;
}

/** The object with the values of another stamp. A value of none of the stamps before, such as a rule's, stays. */
export function restamped(
  { attributes, ...rest }: SummaryObject,
  before: readonly Stamp[],
  now: Stamp,
): SummaryObject {
  const changes = new Map(
    stampFields(now).map(([name, to], at) => [
      name.toLowerCase(),
      { to, from: before.map((stamp) => stampFields(stamp)[at]?.[1]) },
    ]),
  );
  const fresh = attributes.flatMap((own) => {
    const change = changes.get(own.name.toLowerCase());
    const value = Buffer.from(own.value).toString();
    if (change === undefined || change.to === value || !change.from.includes(value)) return [own];
    return summaryObject(rest.url, [[own.name, change.to]]).attributes;
  });
  return { ...rest, attributes: fresh };
}
