import { failure } from '../../kernel/index.ts';
import { attributeNumber, attributeText, type SummaryObject, summaryObject } from '../../soif/index.ts';
import { registryErrors } from '../errors.ts';
import {
  type AttributeKind,
  type AttributeNote,
  attributeTables,
  isServerType,
  type ServerType,
  serverAttributes,
} from './attributes.ts';
import { linesOf, maxLines, readLink } from './links.ts';

/** An attribute of a description, by its name. */
export type DescribedAttribute = readonly [name: string, value: string];

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
  /** A Registry lists it for a server without a key. */
  readonly unsigned?: true;
  /** All else that it says; none when absent. */
  readonly attributes?: readonly DescribedAttribute[];
}

const names = serverAttributes;

/** Max characters of a value. */
const maxLength: Readonly<Record<AttributeKind, number>> = {
  ...{ text: 2000, number: 15, lease: 15, lines: 32 * 1024, links: 32 * 1024 },
  encoded: 64 * 1024,
};
/** Max bytes of a whole description. */
const maxBytes = 160 * 1024;
const maxAttributes = 256;
/** What the description of a server without a key has at least: an administrator knows no more of it. */
const unsignedMandatory: ReadonlySet<string> = new Set([
  ...[names.name, names.gathererName, names.refreshRate, names.timeToLive],
]);
const maxLeaseSeconds = 30 * 86_400;

/** The name, place and version of a server, as its type writes them. */
function identityOf({ type, url, name, software }: ServerDescription): readonly DescribedAttribute[] {
  const { hostname, port, protocol } = webAddress(url);
  if (type !== 'GATHERER')
    return [
      [names.name, name],
      [names.software, software],
    ];
  return [
    [names.gathererName, name],
    [names.gathererHost, hostname],
    [names.gathererPort, port || (protocol === 'https:' ? '443' : '80')],
    [names.gathererVersion, software],
  ];
}

/** A description as a summary object, which its server signs. */
export function descriptionObject(description: ServerDescription, updatedAt: number): SummaryObject {
  const { type, url, objects, refreshSeconds, ttlSeconds, attributes = [] } = description;
  const { administrator, location } = description;
  const all: readonly DescribedAttribute[] = [
    ...identityOf(description),
    [names.type, type],
    [names.description, description.description],
    [names.administrator, administrator],
    [names.location, location],
    [names.objects, objects === undefined ? '' : String(objects)],
    ...attributes,
    [names.refreshRate, String(refreshSeconds)],
    [names.timeToLive, String(ttlSeconds)],
    [names.updateTime, String(updatedAt)],
  ];
  return summaryObject(
    url,
    all.filter(([, value]) => value !== ''),
    type,
  );
}

const wrong = (attribute: string, problem: string) =>
  failure(registryErrors.REGISTRY_ATTRIBUTE, { attribute, problem });

/** Max characters of a URL that an error names. */
const maxNamed = 200;

function webAddress(text: string): URL {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol)) return url;
  throw wrong('the URL', `${JSON.stringify(text.slice(0, maxNamed))} is not an http or https address`);
}

/** The public address of a server: http or https, without user, query and fragment. */
function addressOf(text: string): string {
  const url = webAddress(text);
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw wrong('the URL', 'has a user, a query or a fragment');
  if (url.href !== text) throw wrong('the URL', `is not in its normal form, ${url.href}`);
  return url.href;
}

/** Throws REGISTRY_ATTRIBUTE for a value that its kind does not allow. */
function checkValue({ name, kind }: AttributeNote, value: string): void {
  if (value.length > maxLength[kind]) throw wrong(name, `is longer than ${maxLength[kind]} characters`);
  if (kind === 'number' && !/^\d+$/.test(value)) throw wrong(name, 'is no whole number');
  if (kind === 'lease' && !(/^\d+$/.test(value) && Number(value) >= 1))
    throw wrong(name, 'is no number of seconds');
  if (kind === 'lease' && Number(value) > maxLeaseSeconds) throw wrong(name, 'is more than 30 days');
  if (kind !== 'lines' && kind !== 'links') return;
  const lines = linesOf(value);
  if (lines.length > maxLines) throw wrong(name, `has more than ${maxLines} lines`);
  if (kind === 'links' && lines.some((line) => readLink(line) === undefined))
    throw wrong(name, 'has a line that is not STATE URL, or STATE URL SERVERID');
}

/** Throws REGISTRY_ATTRIBUTE for a description that is too large. */
function checkSize({ attributes }: SummaryObject): void {
  let bytes = 0;
  for (const { name, value } of attributes) bytes += name.length + value.length;
  if (bytes > maxBytes) throw wrong('the whole description', `is larger than ${maxBytes / 1024} KiB`);
  if (attributes.length > maxAttributes)
    throw wrong('the whole description', `has more than ${maxAttributes} attributes`);
}

/** Whether a Registry described this server because it has no key. */
const isUnsigned = (object: SummaryObject): boolean =>
  attributeText(object, names.signed)?.trim().toLowerCase() === 'no';

/** Whether a Registry described this server for somebody else, and has had no answer of it since. */
export const isUnreached = (object: SummaryObject, updatedAt: number): boolean =>
  isUnsigned(object) && updatedAt <= (attributeNumber(object, names.updateTime) ?? 0);

/** Read a description out of a summary object. Throws REGISTRY_ATTRIBUTE. */
export function readDescription(object: SummaryObject): ServerDescription {
  const { templateType: type, url } = object;
  if (!isServerType(type)) throw wrong('the template type', 'is not that of a server');
  checkSize(object);
  const text = (name: string) => attributeText(object, name)?.trim() ?? '';
  const unsigned = isUnsigned(object);
  const { mandatory, recommended } = attributeTables[type];
  for (const { name } of mandatory)
    if (text(name) === '' && !(unsigned && !unsignedMandatory.has(name))) throw wrong(name, 'is missing');
  for (const note of [...mandatory, ...recommended])
    if (text(note.name) !== '') checkValue(note, text(note.name));
  if (text(names.type) !== '' && text(names.type).toUpperCase() !== type)
    throw wrong(names.type, `is not that of the object, ${type}`);
  const description: ServerDescription = {
    ...{ type, url: addressOf(url) },
    name: text(names.name) || text(names.gathererName),
    description: text(names.description),
    administrator: text(names.administrator),
    location: text(names.location),
    software: text(names.software) || text(names.gathererVersion),
    objects: attributeNumber(object, names.objects),
    refreshSeconds: Number(text(names.refreshRate)),
    ttlSeconds: Number(text(names.timeToLive)),
    ...(unsigned && { unsigned }),
  };
  const own = new Set(descriptionObject(description, 0).attributes.map(({ name }) => name.toLowerCase()));
  const attributes = object.attributes
    .filter(({ name }) => !own.has(name.toLowerCase()))
    .map(({ name, value }): DescribedAttribute => [name, Buffer.from(value).toString()]);
  return { ...description, attributes };
}
