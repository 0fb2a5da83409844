import { fragmentText } from '../html/index.ts';
import { oneLine } from '../text/index.ts';
import { scanXml } from '../xml/index.ts';
import { feedDate } from './feed.ts';

/** One line of an outline. */
export interface OutlineLine {
  readonly text: string;
  /** 1 for the highest. */
  readonly level: number;
  /** The address of a feed. */
  readonly feed: string | undefined;
  /** Addresses of the feed, its page, or a link. */
  readonly references: readonly string[];
  readonly description: string;
  readonly keywords: readonly string[];
}

/** What an outline says of itself. */
export interface OutlineFacts {
  readonly title: string;
  readonly owner: string;
  /** Seconds since 1970. */
  readonly modified: number | undefined;
  readonly version: string | undefined;
  readonly found: boolean;
}

const headNames: ReadonlySet<string> = new Set([
  'title',
  'ownername',
  'owneremail',
  'datecreated',
  'datemodified',
]);
const maxValue = 8 * 1024;
const maxKeywords = 50;

/** Reads OPML (1 and 2); `onLine` receives its lines in their order. */
export function readOpml(text: string, onLine: (line: OutlineLine) => void): OutlineFacts {
  const head = new Map<string, string>();
  let field = '';
  let level = 0;
  let version: string | undefined;
  let found = false;
  scanXml(text, {
    open(name, attributes, depth) {
      const local = name.toLowerCase();
      field = headNames.has(local) && level === 0 ? local : '';
      if (depth === 1) {
        found = local === 'opml';
        version = attributes.get('version');
      }
      if (local !== 'outline') return;
      level++;
      onLine(lineOf(attributes, level));
    },
    text(part) {
      if (field === '') return;
      const before = head.get(field) ?? '';
      if (before.length < maxValue) head.set(field, before + part);
    },
    close(name) {
      field = '';
      if (name.toLowerCase() === 'outline') level--;
    },
  });
  const value = (name: string) => oneLine(head.get(name) ?? '');
  return {
    title: value('title'),
    owner: value('ownername') || value('owneremail'),
    modified: feedDate(value('datemodified')) ?? feedDate(value('datecreated')),
    version,
    found,
  };
}

function lineOf(written: ReadonlyMap<string, string>, level: number): OutlineLine {
  const attributes = new Map([...written].map(([name, value]) => [name.toLowerCase(), value]));
  const value = (name: string) => attributes.get(name)?.trim() ?? '';
  const feed = value('xmlurl') || undefined;
  const references = [feed ?? '', value('htmlurl'), value('url')].filter(Boolean);
  const words = value('category').split(',', maxKeywords);
  return {
    text: fragmentText(value('text') || value('title')),
    level,
    feed,
    references,
    description: fragmentText(value('description') || value('_note')),
    // Categories are paths.
    keywords: words.map((path) => path.split('/').filter(Boolean).at(-1)?.trim() ?? '').filter(Boolean),
  };
}
