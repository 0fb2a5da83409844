// Random objects in several languages and random queries, for the behaviour that every engine shares.
import type { Random } from '../../kernel/index.ts';
import type { PrefixNode, QueryNode, WordNode } from '../../query/index.ts';
import { type SummaryObject, summaryObject } from '../../soif/index.ts';

const words = [
  ...[
    'the',
    'of',
    'and',
    'apache',
    'proxy',
    'proxies',
    'balance',
    'balancer',
    'balancing',
    'server',
    'node.js',
  ],
  ...[
    'c++',
    'café',
    'Zürich',
    '東京都',
    '京都',
    'happy',
    'happily',
    'x86',
    '3.11',
    'snake_case',
    'run',
    'running',
  ],
  ...['Łódź', 'lodz', '京', '👍🏽', 'Wi-Fi', 'wifi', 'getServerName', 'v3.11', '10kg', '10 kg', "O'Reilly"],
];
/** Further words of objects in other languages: inflections, words of two languages, another script. */
const foreignWords = [
  ...[
    'die',
    'Häuser',
    'Hauses',
    'und',
    'der',
    'Server',
    'serveurs',
    'maison',
    'maisons',
    'séparée',
    'séparer',
  ],
  ...[
    'Muenchen',
    'München',
    'הספר',
    'ספר',
    'smørbrød',
    'книга',
    'книги',
    'новый',
    'и',
    'running',
    'σπίτια',
    'evler',
    'talok',
    'ies',
    'i',
  ],
];
const spoken = ['de', 'fr-CA', 'Russian', 'el', 'tr', 'pl', 'ja', 'en'];
const attributes = [
  'Title',
  'Author',
  'Author-2',
  'Keywords',
  'Description',
  'Full-Text',
  'Publisher',
  'MD5',
  'Language',
];
const queried = [...attributes, 'url', 'Type', 'full-text', 'Missing', 'Embed<1>-Title'];
export const types = ['HTML', 'Text', 'PostScript', ''];
export const sources = ['python docs', 'git docs', 'elsewhere'];
/** Every hit in one answer. */
export const everything = { limit: 100_000, offset: 0 };

export const pick = <Item>(random: Random, items: readonly Item[]): Item =>
  items[Math.floor(random.next() * items.length)] as Item;

function text(random: Random, max: number, among: readonly string[] = words): string {
  return Array.from({ length: 1 + Math.floor(random.next() * max) }, () => pick(random, among)).join(' ');
}

/** Size, date and bytes: each is missing at times, and there are few different ones. */
function randomDetails(random: Random): (readonly [string, string | number])[] {
  const all: (readonly [string, string | number])[] = [
    ['File-Size', Math.floor(random.next() * 100)],
    ['Last-Modification-Time', Date.UTC(2019, Math.floor(random.next() * 40)) / 1000],
    ['MD5', `${Math.floor(random.next() * 9)}`.padStart(32, '0123456789abcdef')],
  ];
  return all.filter(() => random.next() < 0.8);
}

/** An object in English, or sometimes in another language by its attribute or by its text. */
export function randomObject(random: Random, url: string): SummaryObject {
  if (random.next() < 0.35) return foreignObject(random, url);
  const type = pick(random, types);
  const chosen = attributes
    .filter(() => random.next() < 0.5)
    .map((name) => [name, text(random, name === 'Full-Text' ? 60 : 4)] as const);
  const typed = type === '' ? [] : [['Type', type] as const];
  const nested = random.next() < 0.2 ? [['Embed<1>-Title', text(random, 3)] as const] : [];
  return summaryObject(url, [...chosen, ...typed, ...nested, ...randomDetails(random)]);
}

const sentences = [
  'Die Häuser und die Server, die der Wind nicht von der Straße trägt, sind auch bei Regen noch da.',
  'Les serveurs de la maison qui sont séparés des autres ne sont pas les plus rapides pour cela.',
  'Новый сервер и книги, которые мы читали, были на столе, но это не всё, что мы видели.',
];

function foreignObject(random: Random, url: string): SummaryObject {
  const mixed = (max: number) => `${text(random, max)} ${text(random, max, foreignWords)}`;
  const named =
    random.next() < 0.6
      ? (['Language', pick(random, spoken)] as const)
      : (['Description', pick(random, sentences)] as const);
  return summaryObject(url, [
    ['Title', mixed(2)],
    named,
    ['Full-Text', mixed(20)],
    ['Author', mixed(1)],
    ...randomDetails(random),
  ]);
}

export function randomQuery(random: Random, depth: number): QueryNode {
  const roll = random.next();
  const inner = () => randomQuery(random, depth - 1);
  if (random.next() < 0.15) return randomLeaf(random);
  if (depth === 0 || roll < 0.3)
    return {
      kind: 'word',
      word: pick(random, [...words, ...foreignWords, 'absent', 'example', '&', 'haus', 'Büchern']),
    };
  if (roll < 0.5)
    return {
      kind: 'phrase',
      words: Array.from({ length: 2 + Math.floor(random.next() * 2) }, () =>
        pick(random, [...words, ...foreignWords]),
      ),
    };
  if (roll < 0.65) return { kind: 'attribute', name: pick(random, queried), operand: inner() };
  if (roll < 0.8) return { kind: 'and', operands: [inner(), inner()] };
  if (roll < 0.92) return { kind: 'or', operands: [inner(), inner(), inner()] };
  return roll < 0.98 ? { kind: 'not', operand: inner() } : { kind: 'all' };
}

const whole = (random: Random, below: number) => Math.floor(random.next() * below);

/** A leaf other than words and phrases. */
export function randomLeaf(random: Random): QueryNode {
  const word = (): WordNode => ({
    ...{ kind: 'word', word: pick(random, words) },
    ...(random.next() < 0.1 && { weight: 0.5 }),
  });
  const comparison = {
    ...(random.next() < 0.3 && { case: true as const }),
    ...(random.next() < 0.3 && { part: true as const }),
    ...(random.next() < 0.5 && { errors: random.next() < 0.2 ? ('best' as const) : whole(random, 3) }),
  };
  const prefix = (): PrefixNode => ({
    kind: 'prefix',
    prefix: pick(random, ['ba', 'balanc', 'balanci', 'Pro', 'runn', 'x8', 'node j', '東', 'caf']),
    ...(random.next() < 0.2 && { case: true as const }),
  });
  switch (whole(random, 7)) {
    case 0:
      return { ...word(), ...comparison };
    case 1:
      return { kind: 'phrase', words: [word().word, word().word], ...comparison };
    case 2:
      return prefix();
    case 3:
      return {
        kind: 'sequence',
        parts: [
          { ...word(), ...comparison },
          ...(random.next() < 0.2 ? [{ ...word(), word: '&' }] : []),
          random.next() < 0.5 ? prefix() : word(),
        ],
      };
    case 4:
      return {
        kind: 'near',
        distance: whole(random, 6),
        operands: [
          random.next() < 0.3 ? { ...word(), ...comparison } : word(),
          { kind: 'or', operands: [word(), random.next() < 0.3 ? prefix() : word()] },
        ],
      };
    case 5:
      return {
        kind: 'regex',
        pattern: pick(random, ['bal.*ing', '^the', '\\d\\.', 'zür|京', 'run$', 'absent.']),
      };
    default: {
      const from = { value: String(whole(random, 100)) };
      const to = { value: String(whole(random, 100)), exclusive: true as const };
      const range: QueryNode = { kind: 'range', ...(random.next() < 0.5 ? { from } : { from, to }) };
      if (random.next() < 0.5)
        return { kind: 'attribute', name: pick(random, ['File-Size', 'title', 'Author']), operand: range };
      const months = ['2019-05', '2020', '2021-12', '1577836800'];
      const [first, last] = [{ value: pick(random, months) }, { value: pick(random, months) }];
      return {
        kind: 'attribute',
        name: 'Last-Modification-Time',
        operand: {
          kind: 'range',
          ...(random.next() < 0.5 ? { from: first } : { to: first }),
          ...(random.next() < 0.5 && { from: { ...last, exclusive: true } }),
        },
      };
    }
  }
}
