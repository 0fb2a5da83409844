import { failure } from '../kernel/index.ts';
import {
  Attributes,
  attributeNumber,
  attributeText,
  type SummaryObject,
  summaryObject,
} from '../soif/index.ts';
import { registryErrors } from './errors.ts';

/** The kinds of servers that a Registry lists; each is the template type of its descriptions. */
export const serverTypes = [
  'GATHERER',
  'BROKER',
  'CACHE',
  'REPLICATOR',
  'REGISTRY',
  'TRACKER',
  'OAI-REPOSITORY',
] as const;

export type ServerType = (typeof serverTypes)[number];

export const isServerType = (text: string): text is ServerType => serverTypes.some((type) => type === text);

/** What a server says of itself. Times are in seconds. */
export interface ServerDescription {
  readonly type: ServerType;
  /** The address under which others reach it, with a trailing slash. */
  readonly url: string;
  readonly name: string;
  readonly description: string;
  readonly administrator: string;
  readonly location: string;
  /** Program and version, such as `garner/0.2.0`. */
  readonly software: string;
  /** Number of objects that it offers; undefined for a server without objects. */
  readonly objects: number | undefined;
  readonly refreshSeconds: number;
  readonly ttlSeconds: number;
  /** A Registry published it for a server without a key. */
  readonly unsigned?: true;
}

const names = {
  name: 'Title',
  description: Attributes.description,
  administrator: 'Administrator',
  location: 'Location',
  software: 'Software-Version',
  objects: 'Objects',
} as const;

/** Max characters of a text of a description. */
const maxText = 2000;
/** Max bytes of a whole description. */
const maxBytes = 64 * 1024;
const maxTtlSeconds = 30 * 86_400;

/** A description as a summary object, which its server signs. */
export function descriptionObject(
  { type, url, objects, refreshSeconds, ttlSeconds, ...texts }: ServerDescription,
  updatedAt: number,
): SummaryObject {
  const filled = (['name', 'description', 'administrator', 'location', 'software'] as const)
    .filter((key) => texts[key] !== '')
    .map((key) => [names[key], texts[key]] as const);
  return summaryObject(
    url,
    [
      ...filled,
      ...(objects === undefined ? [] : [[names.objects, objects] as const]),
      [Attributes.refreshRate, refreshSeconds],
      [Attributes.timeToLive, ttlSeconds],
      [Attributes.updateTime, updatedAt],
    ],
    type,
  );
}

const wrong = (attribute: string, problem: string) =>
  failure(registryErrors.REGISTRY_ATTRIBUTE, { attribute, problem });

/** The public address of a server: http or https, without user, query and fragment. */
function addressOf(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw wrong('the URL', 'is not an http or https address');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw wrong('the URL', 'has a user, a query or a fragment');
  if (url.href !== text) throw wrong('the URL', `is not in its normal form, ${url.href}`);
  return url.href;
}

/** Read a description out of a summary object. Throws REGISTRY_ATTRIBUTE. */
export function readDescription(object: SummaryObject): ServerDescription {
  const { templateType, url, attributes } = object;
  if (!isServerType(templateType)) throw wrong('the template type', 'is not that of a server');
  let bytes = 0;
  for (const { name, value } of attributes) bytes += name.length + value.length;
  if (bytes > maxBytes) throw wrong('the whole description', `is larger than ${maxBytes / 1024} KiB`);
  const text = (name: string) => {
    const value = attributeText(object, name)?.trim() ?? '';
    if (value.length > maxText) throw wrong(name, `is longer than ${maxText} characters`);
    return value;
  };
  const seconds = (name: string) => {
    const value = attributeNumber(object, name);
    if (value === undefined || value < 1) throw wrong(name, 'is missing or no number of seconds');
    if (value > maxTtlSeconds) throw wrong(name, 'is more than 30 days');
    return value;
  };
  const name = text(names.name);
  if (name === '') throw wrong(names.name, 'is missing');
  return {
    ...{ type: templateType, url: addressOf(url), name },
    description: text(names.description),
    administrator: text(names.administrator),
    location: text(names.location),
    software: text(names.software),
    objects: attributeNumber(object, names.objects),
    refreshSeconds: seconds(Attributes.refreshRate),
    ttlSeconds: seconds(Attributes.timeToLive),
    ...(text('Signed').toLowerCase() === 'no' && { unsigned: true }),
  };
}
