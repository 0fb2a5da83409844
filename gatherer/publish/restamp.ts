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

/** The object with the values of another stamp. A value that is not the old stamp's own, such as a rule's, stays. */
export function restamped({ attributes, ...rest }: SummaryObject, was: Stamp, now: Stamp): SummaryObject {
  const values = new Map<string, { readonly from: string; readonly to: string }>(
    stampFields(was).map(([name, from], at) => [
      name.toLowerCase(),
      { from, to: stampFields(now)[at]?.[1] ?? from },
    ]),
  );
  const fresh = attributes.flatMap((own) => {
    const change = values.get(own.name.toLowerCase());
    if (change === undefined || change.from === change.to) return [own];
    return Buffer.from(own.value).toString() === change.from
      ? summaryObject(rest.url, [[own.name, change.to]]).attributes
      : [own];
  });
  return { ...rest, attributes: fresh };
}
