import { serverAttributes } from './attributes.ts';
import type { DescribedAttribute } from './description.ts';
import { linesOf, readAddresses, readLinks, type ServerLink } from './links.ts';

/** A value, such as a type of objects, with its number; the number is absent where nobody counted. */
export interface Counted {
  readonly value: string;
  readonly count?: number;
}

/** What a Registry lists of a server besides its name and place. Times are seconds since 1970. */
export interface ServerFigures {
  /** A few telling words of its objects. */
  readonly topic: string;
  readonly types: readonly Counted[];
  readonly languages: readonly Counted[];
  readonly bytes?: number;
  /** Number of changes that its index does not have yet. */
  readonly backlog?: number;
  /** The last change of its objects. */
  readonly changedAt?: number;
  readonly collectsFrom: readonly ServerLink[];
  readonly roots: readonly string[];
  readonly parents: readonly ServerLink[];
  /** Its words, as text of `choosing/`; empty for none. */
  readonly contentSummary: string;
  /** A sample of its contents, as text of `coverage/`; empty for none. */
  readonly fingerprint: string;
}

const shown = 20;

/** The largest of these counts, one a line. */
export function printCounts(counts: readonly Counted[]): string {
  return counts
    .slice(0, shown)
    .map(({ value, count }) => (count === undefined ? value : `${value} ${count}`))
    .join('\n');
}

function readCounts(text: string): readonly Counted[] {
  return linesOf(text)
    .slice(0, shown)
    .map((line) => {
      const [, value = line, count] = /^(.*?)(?: (\d{1,15}))?$/.exec(line) ?? [];
      return { value, ...(count !== undefined && { count: Number(count) }) };
    });
}

/** Read the figures out of the attributes of a description that was checked. */
export function figuresOf(attributes: readonly DescribedAttribute[]): ServerFigures {
  const names = serverAttributes;
  const values = new Map<string, string>();
  for (const [name, value] of attributes)
    if (!values.has(name.toLowerCase())) values.set(name.toLowerCase(), value.trim());
  const text = (name: string) => values.get(name.toLowerCase()) ?? '';
  const number = <Key extends string>(key: Key, name: string): { readonly [K in Key]?: number } =>
    (/^\d{1,15}$/.test(text(name)) ? { [key]: Number(text(name)) } : {}) as { readonly [K in Key]?: number };
  return {
    topic: text(names.topic),
    types: readCounts(text(names.types)),
    languages: readCounts(text(names.languages)),
    ...number('bytes', names.bytes),
    ...number('backlog', names.backlog),
    ...number('changedAt', names.changed),
    collectsFrom: readLinks(text(names.collectsFrom)),
    roots: readAddresses(text(names.roots)),
    parents: readLinks(text(names.parents)),
    contentSummary: text(names.contentSummary),
    fingerprint: text(names.contentFingerprint),
  };
}
