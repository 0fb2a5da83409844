import { Attributes, baseName } from '../../soif/index.ts';

// True of the document's bytes or of the gathering, whatever a person or a program thinks of them.
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

/** Whether a program, a module or a rule may not say an attribute: those that are kept, and what a summary lacks. */
export function isOwnName(name: string): boolean {
  return isReserved(name) || /^Summary-Note(?:-\d{1,9})?$/i.test(name);
}

/** What keeps a value from being that of an attribute, as the end of a sentence: times to live are numbers. */
export function secondsFault(name: string, value: string): string | undefined {
  if (!seconds.has(baseName(name))) return undefined;
  return /^[1-9]\d{0,9}$/.test(value) ? undefined : 'must be a whole number of seconds above 0';
}
