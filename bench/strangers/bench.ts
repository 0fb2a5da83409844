import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { type Random, seededRandom } from '../../kernel/index.ts';
import type { BrokerSays } from '../chain/job.ts';
import { runProbe, Server } from '../harness/child.ts';
import { type Benchmark, interleaved, type Measured, type RunOptions } from '../harness/harness.ts';
import { formatNumber } from '../harness/report.ts';
import { type Figure, Results } from '../harness/results.ts';
import { fillStore, summaryOf } from '../material/filled-broker.ts';
import { openBrokerOf } from '../material/opened-broker.ts';
import { arrivalTimes, openLoop, type Stopwatch } from '../million/open-loop.ts';
import { type Flooded, tokensPerSecond } from './flood.ts';
import type { StrangersSourceSays } from './source.ts';

const beside = 'Searches beside a client that uses more than its share';
const quotas = 'A source with more objects than its quota';

const figures = {
  alone: { section: beside, what: 'time of a search alone, p99', unit: 'ms' },
  flooded: { section: beside, what: 'time of a search beside that client, p99', unit: 'ms' },
  ratio: {
    section: beside,
    what: 'beside that client against alone, p99',
    unit: 'times',
    goal: { atMost: 2 },
  },
  tokens: { section: beside, what: 'wrong tokens a second', unit: 'requests/s' },
  stored: { section: quotas, what: 'objects stored beyond the quota', unit: 'objects', goal: { atMost: 0 } },
  full: { section: quotas, what: 'from its first connection until it is full', unit: 's' },
  quiet: { section: quotas, what: 'time of a search before it is added, p99', unit: 'ms' },
  collecting: { section: quotas, what: 'time of a search while it is collected, p99', unit: 'ms' },
  after: { section: quotas, what: 'time of a search when it is full, p99', unit: 'ms' },
} as const satisfies Record<string, Figure>;

const seed = 1996;
const searchesPerSecond = 50;
const objects = 5000;
const words = 4000;
const wordsOfObject = 120;
const whole = { seconds: 8, offered: 100_000, quota: 10_000 };
const quick = { seconds: 2, offered: 20_000, quota: 5000 };
/** Before the measurement and after it, so that the flood lasts as long. */
const marginSeconds = 2;
const stateMs = 100;
const patienceMs = 600_000;

const watch: Stopwatch = {
  now: () => performance.now(),
  sleep: async (ms) => {
    await sleep(ms);
  },
  turn: async () => {
    await turn();
  },
};

const p99 = (times: readonly number[]) =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;

const wordIn = (random: Random) => `word${Math.floor(random.next() ** 2 * words)}`;

async function fillBroker(data: string): Promise<void> {
  const random = seededRandom(seed);
  await using opened = await openBrokerOf(data, { create: true });
  const { store } = opened.broker.folder;
  const pages = Array.from({ length: objects }, (_, n) =>
    summaryOf({
      url: `http://objects.example.org/${n}`,
      title: `Object ${n}`,
      text: Array.from({ length: wordsOfObject }, () => wordIn(random)).join(' '),
    }),
  );
  await fillStore(store, pages);
  await opened.broker.indexer.reached(store.lsn);
  await opened.engine.settled();
}

/** Searches of a client of its own address, at random times. */
class Searcher {
  readonly #broker: string;
  readonly #random = seededRandom(seed + 1);
  readonly #agent = new Agent({ keepAlive: true, localAddress: '127.0.0.1' });

  constructor(broker: string) {
    this.#broker = broker;
  }

  /** The 99th percentile of the time from the due time of a search to its answer, in milliseconds. */
  async p99(seconds: number): Promise<number> {
    const times = arrivalTimes(searchesPerSecond, seconds, this.#random);
    return p99(await openLoop(times, () => this.#search(), watch));
  }

  #search(): Promise<void> {
    return this.#ask(new URL(`/search?q=${wordIn(this.#random)}+${wordIn(this.#random)}`, this.#broker));
  }

  #ask(url: URL): Promise<void> {
    return new Promise((resolve, reject) => {
      const asked = get(url, { agent: this.#agent }, (response) => {
        response.resume().once('end', () => {
          if (response.statusCode === 200) resolve();
          else reject(new Error(`a search was answered with ${response.statusCode}`));
        });
      });
      // The server may close an idle connection at the moment when it is used again.
      asked.once('error', (error) => (asked.reusedSocket ? resolve(this.#ask(url)) : reject(error)));
    });
  }
}

async function measureFlood(
  broker: string,
  folder: string,
  results: Results<keyof typeof figures>,
  { quick: isQuick, ...pace }: RunOptions,
) {
  const { seconds } = isQuick ? quick : whole;
  const searcher = new Searcher(broker);
  await searcher.p99(1);
  const round = {
    name: 'searches alone, then beside the client',
    run: async () => {
      const alone = await searcher.p99(seconds);
      const flood = runProbe<Flooded>(
        'strangers-flood',
        [broker, String(seconds + 2 * marginSeconds)],
        folder,
      );
      await sleep(marginSeconds * 1000);
      const flooded = await searcher.p99(seconds);
      const { tokens, seconds: lasted, answers } = await flood;
      process.stderr.write(`    answers to wrong tokens by status: ${JSON.stringify(answers)}\n`);
      results.add('alone', alone);
      results.add('flooded', flooded);
      results.add('ratio', flooded / alone);
      results.add('tokens', tokens / lasted);
    },
  };
  await interleaved([round], pace);
}

interface SourceState {
  readonly url: string;
  readonly state: string;
  readonly objects: number;
}

async function measureQuota(
  data: string,
  folder: string,
  results: Results<keyof typeof figures>,
  isQuick: boolean,
) {
  const { seconds, offered, quota } = isQuick ? quick : whole;
  await using source = await Server.startProbe<StrangersSourceSays>(
    'strangers-source',
    [join(folder, 'source'), String(offered)],
    folder,
  );
  await using broker = await Server.start<BrokerSays>(
    ['broker', 'serve', '--data', data, '--port', '0', '--max-objects', String(quota)],
    folder,
  );
  const { search } = broker.said;
  const searcher = new Searcher(search);
  await searcher.p99(1);
  results.add('quiet', await searcher.p99(seconds));
  const token = 'the-operators-own-words';
  const added = await fetch(new URL('/control/sources', search), {
    ...{ method: 'POST', body: JSON.stringify({ source: `ws://127.0.0.1:${source.said.port}/` }) },
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });
  if (!added.ok) throw new Error(`adding the source: ${added.status} ${await added.text()}`);
  const began = performance.now();
  const times: number[] = [];
  for (;;) {
    times.push(await searcher.p99(1));
    const status = (await (await fetch(new URL('/status', search))).json()) as {
      sources: readonly SourceState[];
    };
    const one = status.sources[0];
    if (one?.state === 'full') {
      results.add('full', (performance.now() - began) / 1000);
      results.add('stored', Math.max(0, one.objects - quota));
      break;
    }
    if (performance.now() - began > patienceMs) throw new Error(`the source is ${JSON.stringify(one)}`);
    await sleep(stateMs);
  }
  results.add('collecting', Math.max(...times));
  results.add('after', await searcher.p99(seconds));
}

async function run(options: RunOptions): Promise<Measured> {
  const results = new Results(figures);
  const folder = await mkdtemp(join(tmpdir(), 'garner-bench-strangers-'));
  const data = join(folder, 'broker');
  const { seconds, offered, quota } = options.quick ? quick : whole;
  try {
    await writeFile(join(folder, 'garner.yaml'), 'http:\n  admin-tokens: [the-operators-own-words]\n');
    options.onStep(`a Broker with ${formatNumber(objects)} objects`);
    await fillBroker(data);
    {
      await using broker = await Server.start<BrokerSays>(
        ['broker', 'serve', '--data', data, '--port', '0'],
        folder,
      );
      await measureFlood(broker.said.search, folder, results, options);
    }
    options.onStep(`a source with ${formatNumber(offered)} objects`);
    await measureQuota(data, folder, results, options.quick);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
  return {
    input: [
      `A Broker with ${formatNumber(objects)} objects of ${wordsOfObject} words. A client at 127.0.0.1 sends ${searchesPerSecond} searches of two words a second for ${seconds} seconds, alone and then beside another client; the time of a search counts from when it is due.`,
      `The other client, at 127.0.0.2 and in a process of its own on the same machine, holds 300 sessions and 300 requests whose bodies do not come, opens again what is closed, and sends ${formatNumber(tokensPerSecond)} wrong administrator tokens a second.`,
      `Then a source that offers ${formatNumber(offered)} objects is added to a Broker whose quota for each source is ${formatNumber(quota)}; once.`,
    ],
    rows: results.rows(),
    skipped: results.skipped(),
  };
}

/** What searches of one client wait for while another one, or a source, takes all it can get. */
export const strangersJob: Benchmark = {
  name: 'strangers',
  describe:
    'searches beside a client with 300 sessions, 300 slow bodies and 1,000 wrong tokens a second, and beside a source with ten times its quota of objects',
  peers: {},
  run,
};
