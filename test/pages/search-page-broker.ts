import { type HttpServer, type Route, type RouteRequest, serveHttp } from '../../http/index.ts';
import { ManualClock } from '../../kernel/index.ts';
import { searchPageRoutes } from '../../web/index.ts';

const topics = ['asyncio', 'vacuum', 'rebase', 'sockets', 'indexes', 'branches', 'tasks'];
const sites = [
  { id: 'python', name: 'Python documentation', host: 'https://docs.example.org', types: ['HTML'] },
  { id: 'postgres', name: 'PostgreSQL manual', host: 'https://pg.example.net', types: ['HTML', 'Text'] },
  { id: 'git', name: 'Git', host: 'http://127.0.0.1:8091', types: ['HTML', 'Markdown'] },
];

const corrections: Readonly<Record<string, string>> = { asincio: 'asyncio', vakuum: 'vacuum' };

const years = [
  {
    name: 'year',
    values: [
      { value: '2026', count: 9 },
      { value: '2025', count: 4 },
    ],
  },
];
const copies = [
  { oid: 'x', url: 'https://mirror.example.org/vacuum', source: 'git', sourceName: 'Git' },
  { oid: 'y', url: 'javascript:alert(2)', source: 'git', sourceName: 'Git' },
];

/** The fixed time of the small Broker, in milliseconds since 1970. */
export const standingTimeMs = 1_772_600_000_000;

interface Document {
  readonly oid: string;
  readonly url: string;
  readonly title: string;
  readonly text: string;
  readonly source: string;
  readonly sourceName: string;
  readonly type: string;
  readonly size: number;
  readonly updatedAt: number;
}

/** 50 documents with a hostile one among them; the same in every run. */
function documents(): Document[] {
  const made = Array.from({ length: 50 }, (_, index): Document => {
    const topic = topics[index % topics.length] ?? '';
    const site = sites[index % sites.length] ?? { id: '', name: '', host: '', types: [] };
    const other = topics[(index * 3 + 1) % topics.length] ?? '';
    const title = `${topic[0]?.toUpperCase()}${topic.slice(1)} in practice, chapter ${index + 1}`;
    return {
      oid: `oid-${index}`,
      url: `${site.host}/library/${topic}/chapter-${index + 1}.html`,
      title,
      text:
        `This chapter explains how ${topic} behave when many things happen at once, what to expect of them ` +
        `under load, and where ${other} come in. Its examples can be run as they stand; number ${index + 1} of fifty.`,
      source: site.id,
      sourceName: site.name,
      type: site.types[index % site.types.length] ?? '',
      size: 700 + index * 1311,
      updatedAt: standingTimeMs / 1000 - 20 - index * index * 90,
    };
  });
  made[7] = {
    ...(made[7] as Document),
    url: 'javascript:alert(1)',
    title: '<img src=x onerror="document.title=1"> Sockets & "quotes"',
    text: 'Hostile sockets say </script><script>document.title = 2</script> and <b>stay</b> text.',
    sourceName: '<i>Git</i>',
  };
  return made;
}

/** The controls of a test over the Broker behind the page. */
export interface Mood {
  /** Answers wait for this promise. */
  gate: Promise<void>;
  /** Answer searches with this status. */
  failing: number | undefined;
  /** A site that does not answer. */
  downSite: string | undefined;
}

function search(all: readonly Document[], request: RouteRequest, mood: Mood): unknown {
  const query = request.query.q ?? '';
  const corrected = query === 'vakuum' && request.query.exact !== '1' ? 'vacuum' : null;
  const words = (corrected ?? query).toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const has = (document: Document, word: string) =>
    new RegExp(`\\b${word}`, 'i').test(`${document.title} ${document.text}`);
  let found = all.filter((document) => words.every((word) => has(document, word)));
  const relaxed = found.length === 0 && words.length > 1;
  if (relaxed) found = all.filter((document) => words.some((word) => has(document, word)));
  const kept = (values: readonly string[] | undefined, value: string) =>
    values === undefined || values.length === 0 || values.includes(value);
  const ofSource = found.filter((document) => kept(request.queries.source, document.source));
  const ofType = found.filter((document) => kept(request.queries.type, document.type));
  const both = ofSource.filter((document) => ofType.includes(document));
  const counted = (documents: readonly Document[], key: 'source' | 'type') =>
    [...new Set(documents.map((document) => document[key]))].map((value) => ({
      value,
      name: sites.find((site) => site.id === value)?.name ?? value,
      count: documents.filter((document) => document[key] === value).length,
    }));
  const offset = Number(request.query.offset ?? 0);
  const spans = (text: string) =>
    words.length === 0
      ? []
      : [...text.matchAll(new RegExp(`\\b(?:${words.join('|')})\\p{L}*`, 'giu'))].map((match) => [
          match.index,
          match.index + match[0].length,
        ]);
  return {
    query,
    understood: words.join(' AND '),
    notes: [],
    total: both.length,
    tookMs: 2.4,
    relaxed,
    hits: both.slice(offset, offset + Number(request.query.limit ?? 10)).map(({ text, ...document }) => ({
      ...document,
      snippet: text,
      matches: spans(text),
      titleMatches: spans(document.title),
      attributes: spans(document.title).length > 0 ? ['Title', 'Full-Text'] : ['Full-Text'],
      score: 1,
      modifiedAt: null,
      also: document.oid === 'oid-1' ? copies : [],
      alsoTotal: document.oid === 'oid-1' ? 12 : 0,
      shown: document.oid === 'oid-1' ? [{ label: 'Written by', value: '<b>Ada</b>' }] : [],
    })),
    facets: { source: counted(ofType, 'source'), type: counted(ofSource, 'type'), more: years },
    sources: sites.map(({ id, name }) => ({
      id,
      name,
      state: mood.downSite === id ? 'down' : 'ok',
      ...(mood.downSite === id ? { error: 'connection refused' } : {}),
    })),
    suggestion: corrections[query] ?? null,
    corrected,
  };
}

function status(all: readonly Document[], mood: Mood): unknown {
  return {
    name: 'small',
    objects: all.length,
    sources: sites.map(({ id, name, host }, index) => ({
      id,
      name,
      url: host,
      state: mood.downSite === id ? 'down' : 'ok',
      objects: all.filter((document) => document.source === id).length,
      lastLearnedAt: standingTimeMs / 1000 - 180 * (index * 40 + 1),
      error: mood.downSite === id ? 'connection refused' : null,
    })),
    examples: ['asyncio vacuum', 'rebase', 'task branches'],
    engine: { name: 'test', lsn: 50 },
    lsn: 50,
    startedAt: standingTimeMs / 1000 - 7200,
  };
}

/** A page over a small deterministic Broker that follows the API's contract, on a free port. */
export interface SmallBroker extends AsyncDisposable {
  readonly url: string;
  readonly mood: Mood;
  /** Requested API paths, oldest first. */
  readonly asked: readonly string[];
}

/** Open it; dispose to close. */
export async function openSmallBroker(): Promise<SmallBroker> {
  const all = documents();
  const mood: Mood = { gate: Promise.resolve(), failing: undefined, downSite: undefined };
  const asked: string[] = [];
  const api = (path: string, answer: (request: RouteRequest) => unknown): Route => ({
    method: 'GET',
    path,
    summary: path,
    scope: 'public',
    // A described route would refuse the parameters that it does not list.
    hidden: true,
    handle: async (request) => {
      asked.push(request.url);
      await mood.gate;
      if (mood.failing !== undefined)
        return {
          status: mood.failing,
          json: { error: { code: 'X', message: 'The index is being rebuilt', hint: 'Wait a minute.' } },
        };
      return { json: answer(request) };
    },
  });
  const routes: Route[] = [
    {
      ...{ method: 'POST', path: '/objects/:oid/check', summary: 'check', scope: 'public' },
      handle: async () => ({ json: { state: 'suspect', status: 404 } }),
    },
    api('/search', (request) => search(all, request, mood)),
    api('/status', () => status(all, mood)),
    api('/complete', ({ query }) => ({
      words: [...topics, 'rebuild'].filter((topic) => topic.startsWith((query.q ?? '').toLowerCase())),
    })),
    api('/objects/:oid', ({ params }) => all.find((document) => document.oid === params.oid)),
  ];
  const clock = new ManualClock(standingTimeMs);
  let server: HttpServer | undefined;
  const page = searchPageRoutes({
    clock,
    api: async (path) => {
      const response = await fetch(new URL(path, server?.url));
      return { status: response.status, json: await response.json() };
    },
  });
  server = await serveHttp({ routes: [...routes, ...page], port: 0, clock, title: 'small', version: '0' });
  const { url } = server;
  const opened = server;
  return { url, mood, asked, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() };
}
