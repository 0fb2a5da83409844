import type { Random } from '../../../kernel/index.ts';

/** What a page is called, as its document says it. */
export interface NamedPage {
  readonly title: string;
  readonly headings: readonly string[];
  /** Functions, classes and settings that it defines. */
  readonly names: readonly string[];
}

/** What kind of text a query is, with the number of queries of each. */
export const kinds = { title: 90, heading: 90, name: 60, command: 60 } as const;
export type Kind = keyof typeof kinds;

/** A query that is meant for one page, by the page's position. */
export interface NavigationalQuery {
  readonly kind: Kind;
  readonly text: string;
  readonly page: number;
}

const part = /\s+[\u2013\u2014-]+\s+/u;
const number = /^\s*(?:(?:chapter|appendix|part)\s+)?(?:[0-9]+|[A-Z])(?:\.[0-9]+)*\.\s+/iu;
/** A part of more titles than this is the name of a site. */
const maxShared = 16;
const [minLength, maxLength] = [4, 60];

const tidy = (text: string) => text.replace(number, '').replace(/\s+/gu, ' ').trim();

/** `git log` of `git-log(1)`, `create table` of `CREATE TABLE`, `pg_dump`; undefined for other titles. */
function commandOf(title: string): string | undefined {
  const manual = /^([a-z][a-z0-9_-]*)\([0-9]\)$/u.exec(title)?.[1];
  if (manual !== undefined) return manual.replace(/^git-/u, 'git ');
  return /^[A-Z]+(?: [A-Z]+)*$|^[a-z]+(?:_[a-z]+)*$/u.test(title) ? title.toLowerCase() : undefined;
}

/** The texts by which a page may be looked for, by kind. */
function textsOf({ title, headings, names }: NamedPage, sites: ReadonlySet<string>) {
  const parts = title
    .split(part)
    .filter((one) => !sites.has(one))
    .map(tidy);
  const command = commandOf(parts[0] ?? '');
  const longest = parts.reduce((long, one) => (one.length > long.length ? one : long), '');
  return {
    title: longest === '' || (command !== undefined && longest === parts[0]) ? [] : [longest],
    heading: headings.map(tidy),
    name: names,
    command: command === undefined ? [] : [command],
  } satisfies Readonly<Record<Kind, readonly string[]>>;
}

const keyOf = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const order = [...items];
  for (let at = order.length - 1; at > 0; at--) {
    const other = Math.floor(random.next() * (at + 1));
    [order[at], order[other]] = [order[other] as Item, order[at] as Item];
  }
  return order;
}

/**
 * Queries for one page each, made of the titles, headings, names and commands of documents; a text that two pages have is
 * left out. The same for the same pages and `random`.
 */
export function navigationalQueries(pages: readonly NamedPage[], random: Random): NavigationalQuery[] {
  const shared = new Map<string, number>();
  for (const { title } of pages)
    for (const one of new Set(title.split(part))) shared.set(one, (shared.get(one) ?? 0) + 1);
  const sites = new Set([...shared].filter(([, times]) => times > maxShared).map(([one]) => one));
  const having = new Map<string, Set<number>>();
  const all = pages.map((page) => textsOf(page, sites));
  for (const [page, texts] of all.entries())
    for (const text of Object.values(texts).flat()) {
      const key = keyOf(text);
      having.set(key, (having.get(key) ?? new Set()).add(page));
    }
  const seen = new Set<string>();
  return (Object.keys(kinds) as Kind[]).flatMap((kind) => {
    const found = all.flatMap((texts, page) =>
      texts[kind].flatMap((text): NavigationalQuery[] => {
        const key = keyOf(text);
        const fits = key.length >= minLength && key.length <= maxLength && /\p{L}{3}/u.test(key);
        if (!fits || having.get(key)?.size !== 1 || seen.has(key)) return [];
        seen.add(key);
        return [{ kind, text: text.toLowerCase(), page }];
      }),
    );
    return shuffled(found, random).slice(0, kinds[kind]);
  });
}

/** The beginnings of a query as it is typed, of three characters or more. */
export const beginnings = (text: string): string[] =>
  Array.from({ length: Math.max(0, text.length - 2) }, (_, at) => text.slice(0, at + 3)).filter(
    (one) => !one.endsWith(' '),
  );
