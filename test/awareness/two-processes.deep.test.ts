import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { seededRandom } from '../../kernel/index.ts';
import { newIdentitySecret } from '../../soif/index.ts';
import { temporaryFolder } from '../commands/command.ts';
import { ended } from '../kill/by-bytes.ts';
import { TcpProxy } from '../tcp-proxy.ts';
import { expected } from './process.ts';

const program = fileURLToPath(new URL('./process.js', import.meta.url));

/** Objects on each side. */
const objects = Number(process.env.GARNER_AWARENESS_N ?? 10_000);

const cuts = 20;

/** Max memory of a process, for the larger and the smaller number of objects. */
const maxBytes = 300_000_000;

interface ServeReport {
  readonly peakBytes: number;
  /** With the pages of files that the system has mapped. */
  readonly mappedToo: number;
  readonly cpuMs: number;
  readonly count: number;
  readonly contents: string;
}

interface CollectReport {
  readonly attempts: number;
  readonly faults: readonly string[];
  readonly schemes: readonly string[];
  readonly learned: number;
  readonly forgotten: number;
  readonly peakBytes: number;
  /** With the pages of files that the system has mapped. */
  readonly mappedToo: number;
  readonly cpuMs: number;
  readonly lsn: number;
  readonly sound: boolean;
  readonly contents: string;
}

/** A process of one side. */
class Side implements AsyncDisposable {
  readonly child: ChildProcess;
  readonly #said: unknown[] = [];
  #wake: (() => void) | undefined;
  #over = false;

  constructor(args: readonly string[], secret: string) {
    this.child = fork(program, args, { env: { ...process.env, GARNER_TEST_SECRET: secret } });
    this.child.on('message', (message) => {
      this.#said.push(message);
      this.#wake?.();
    });
    this.child.once('exit', () => {
      this.#over = true;
      this.#wake?.();
    });
  }

  /** Its next message. */
  async hear<Message>(): Promise<Message> {
    while (this.#said.length === 0) {
      if (this.#over) throw new Error('the process ended before its last message');
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#said.shift() as Message;
  }

  say(): void {
    this.child.send('go');
  }

  async done(): Promise<void> {
    assert.equal(await ended(this.child), '0');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#over) this.child.kill('SIGKILL');
    await ended(this.child);
  }
}

/** A collection through the proxy, cut after each of these numbers of bytes in turn. */
async function collectThrough(
  proxy: TcpProxy,
  folder: string,
  secret: string,
  scheme: string,
  gaps: readonly number[],
): Promise<CollectReport & { readonly bytes: readonly number[] }> {
  await using side = new Side(['collect', folder, String(objects), proxy.url, scheme], secret);
  const bytes: number[] = [];
  const passed = () => proxy.up + proxy.down;
  let begun = passed();
  for (let attempt = 0; ; attempt++) {
    const message = await side.hear<{ attempt?: number } & CollectReport>();
    if (attempt > 0) bytes.push(passed() - begun);
    if (message.attempt === undefined) {
      await side.done();
      return { ...message, bytes };
    }
    begun = passed();
    proxy.cutAfterBoth = begun + (gaps[attempt] ?? Number.POSITIVE_INFINITY);
    side.say();
  }
}

const megabytes = (...bytes: number[]) => `${Math.round(Math.max(...bytes) / 1e6)} MB`;

async function checkScheme(
  t: TestContext,
  scheme: string,
  { proxy, whole, folder, secret }: { proxy: TcpProxy; whole: string; folder: string; secret: string },
): Promise<{ readonly contents: string; readonly peakBytes: number }> {
  const name = scheme === '' ? 'the scheme that the source chooses' : scheme;
  const [uncutCopy, cutCopy] = [join(folder, `uncut-${scheme}`), join(folder, `cut-${scheme}`)];
  await cp(whole, uncutCopy, { recursive: true });
  await cp(whole, cutCopy, { recursive: true });

  const uncut = await collectThrough(proxy, uncutCopy, secret, scheme, []);
  assert.deepEqual(
    [uncut.attempts, uncut.learned, uncut.forgotten],
    [1, expected.learned, expected.forgotten],
  );
  const total = uncut.bytes.reduce((sum, bytes) => sum + bytes, 0);

  const seed = Number(process.env.SEED ?? Date.now() % 1e6);
  const random = seededRandom(seed);
  const points = Array.from({ length: cuts }, () => Math.floor(random.next() * total)).sort((a, b) => a - b);
  const gaps = points.map((point, i) => Math.max(1, point - (points[i - 1] ?? 0)));
  const cut = await collectThrough(proxy, cutCopy, secret, scheme, gaps);
  const spent = cut.bytes.reduce((sum, bytes) => sum + bytes, 0);
  t.diagnostic(
    `${name}: SEED=${seed}; uncut ${total} bytes (${uncut.schemes}); ${cut.attempts - 1} cuts, ${spent} bytes in all, ` +
      `the last attempt ${cut.bytes.at(-1)} (${cut.schemes}); client ${Math.round(cut.cpuMs)} ms of CPU, ` +
      `peak ${megabytes(cut.peakBytes, uncut.peakBytes)} (${megabytes(cut.mappedToo, uncut.mappedToo)} with mapped files)`,
  );
  assert.ok(
    cut.faults.every((fault) => /^(WIRE|EXCHANGE_CUT)/.test(fault)),
    `only cuts broke a round: ${cut.faults}`,
  );
  assert.equal(cut.contents, uncut.contents);
  assert.ok(cut.sound && uncut.sound, 'the fingerprint of the copy is that of what it holds');
  assert.equal(cut.lsn, uncut.lsn);
  assert.deepEqual(
    [cut.learned, cut.forgotten],
    [expected.learned, expected.forgotten],
    'nothing is learned twice',
  );
  assert.ok(spent <= 3 * total, `${spent} bytes in all attempts, ${total} without a cut`);
  const rest = cut.bytes.at(-1) ?? 0;
  // Objects of short ids come in no particular order, so a late cut may lose more.
  assert.ok(rest < total * 0.75, `${rest} of ${total} bytes were left to the last attempt`);
  return { contents: cut.contents, peakBytes: Math.max(cut.peakBytes, uncut.peakBytes) };
}

test('two processes, 1,000 scattered differences, a link cut at 20 points: the copy resumes and equals the source', async (t) => {
  await using folder = await temporaryFolder();
  const secret = JSON.stringify(newIdentitySecret(seededRandom(1)));
  const started = performance.now();
  const [sourceFolder, copyFolder] = [join(folder.path, 'source'), join(folder.path, 'copy')];
  {
    await using source = new Side(['fill-source', sourceFolder, String(objects)], secret);
    const { epoch } = await source.hear<{ epoch: string }>();
    await using copy = new Side(['fill-copy', copyFolder, String(objects), epoch], secret);
    await source.done();
    await copy.done();
  }
  t.diagnostic(`${objects} objects on each side after ${Math.round((performance.now() - started) / 1000)} s`);

  await using source = new Side(['serve', sourceFolder, String(objects)], secret);
  const { port } = await source.hear<{ port: number }>();
  await using proxy = await TcpProxy.open(port);
  const paths = { proxy, whole: copyFolder, folder: folder.path, secret };
  const results = [];
  for (const scheme of ['', 'sketch', 'short-ids']) results.push(await checkScheme(t, scheme, paths));

  source.say();
  const report = await source.hear<ServeReport>();
  await source.done();
  t.diagnostic(
    `source: peak ${megabytes(report.peakBytes)} (${megabytes(report.mappedToo)} with mapped files), ${Math.round(report.cpuMs)} ms of CPU; ` +
      `all took ${Math.round((performance.now() - started) / 1000)} s`,
  );
  for (const { contents, peakBytes } of results) {
    assert.equal(contents, report.contents);
    assert.ok(peakBytes < maxBytes, `a client took ${peakBytes} bytes of memory`);
  }
  assert.ok(report.peakBytes < maxBytes, `the source took ${report.peakBytes} bytes of memory`);
});
