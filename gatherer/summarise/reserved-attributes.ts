import { Attributes, baseName } from '../../soif/index.ts';

// Facts of the document's bytes or of gathering, which a person or a program may not change.
const kept = new Set(
  [
    Attributes.md5,
    Attributes.updateTime,
    Attributes.fileSize,
    Attributes.type,
    Attributes.lastModificationTime,
    'URL',
    'Template-Type',
  ].map((name) => name.toLowerCase()),
);

const seconds = new Set([Attributes.timeToLive, Attributes.refreshRate].map((name) => name.toLowerCase()));

/** Whether an attribute is the Gatherer's own: sizes, digests, times, Gatherer-*. */
export function isReserved(name: string): boolean {
  const base = baseName(name);
  return kept.has(base) || kept.has(name.toLowerCase()) || base.startsWith('gatherer-');
}

/** Whether a program, a module or a rule may not set an attribute: reserved ones, Summary-Note, Types-Tried. */
export function isOwnName(name: string): boolean {
  return isReserved(name) || /^(?:Summary-Note|Types-Tried)(?:-\d{1,9})?$/i.test(name);
}

/** The fault of an attribute's value, as a predicate, or undefined: Time-to-Live and Refresh-Rate are numbers. */
export function secondsFault(name: string, value: string): string | undefined {
  if (!seconds.has(baseName(name))) return undefined;
  return /^[1-9]\d{0,9}$/.test(value) ? undefined : 'must be a whole number of seconds above 0';
}
