import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import type { SearchAnswer, SearchHit } from '../broker/index.ts';
import { runCommand, startServer, temporaryFolder } from './commands/command.ts';
import { jsonHere as jsonOf } from './commands/command-here.ts';

const documents = 500;
const linesEach = 100;
// Much more than the buffers of a socket hold.
const line = `harbour ${'x'.repeat(480)}`;
const query = '/search?q=%23lines+100+harbour&format=jsonl';

const opened = (url: string) =>
  new Promise<IncomingMessage>((resolve, reject) => get(url, resolve).on('error', reject));

/** CPU time of a process in hundredths of a second, as a measure of its work. */
async function taken(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /s, '').split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

test('JSON lines of a large answer: complete, no faster than they are read, and ended with their reader', async (context) => {
  await using folder = await temporaryFolder();
  const here = { cwd: folder.path };
  await mkdir(join(folder.path, 'site'));
  const text = `${`${line}\n`.repeat(linesEach)}`;
  for (let n = 0; n < documents; n++)
    await writeFile(join(folder.path, 'site', `${n}.txt`), `page ${n}\n${text}`);
  await jsonOf(['gatherer', 'run', '--root', 'site', '--base-url', 'https://harbour.example/'], here);
  await using gatherer = await startServer<{ readonly collect: string }>(
    ['gatherer', 'serve', '--port', '0'],
    here,
  );
  await runCommand(['broker', 'collect', '--collect', gatherer.ready.collect], here);
  await using broker = await startServer<{ readonly search: string }>(
    ['broker', 'serve', '--port', '0'],
    here,
  );
  const url = (path: string) => new URL(path, broker.ready.search).href;
  const search = async () => (await (await fetch(url('/search?q=harbour&limit=1'))).json()) as SearchAnswer;
  assert.equal((await search()).total, documents);

  // A reader that stops after the first piece.
  const before = await taken(broker.pid);
  const slow = await opened(url(query));
  assert.match(slow.headers['content-type'] ?? '', /jsonl/);
  await new Promise((resolve) => slow.once('readable', resolve));
  // Meanwhile others are answered, in enough time to make the whole answer.
  for (let again = 0; again < 20; again++) await search();
  const paused = await taken(broker.pid);
  const whole = documents * linesEach * line.length;

  // It continues where it stopped, and has every hit once.
  let rest = '';
  for await (const piece of slow) rest += piece;
  const hits = rest
    .trimEnd()
    .split('\n')
    .map((hit) => JSON.parse(hit) as SearchHit);
  assert.equal(new Set(hits.map(({ oid }) => oid)).size, documents);
  assert.equal(hits.length, documents);
  assert.ok(hits.every(({ lines }) => lines.length === linesEach));
  assert.ok(rest.length > whole);

  const made = await taken(broker.pid);
  context.diagnostic(`${paused - before} of ${made - before} hundredths of a second before it continued`);
  assert.ok(paused - before < 0.7 * (made - before), `${paused - before} of ${made - before}`);

  // A reader that hangs up: the rest is not made.
  const from = await taken(broker.pid);
  const gone = await opened(url(query));
  await new Promise((resolve) => gone.once('readable', resolve));
  gone.destroy();
  for (let again = 0; again < 20; again++) await search();
  const after = await taken(broker.pid);
  context.diagnostic(`${after - from} when it hung up`);
  assert.ok(after - from < 0.7 * (made - before), `${after - from} of ${made - before}`);

  const { code, stdout } = await runCommand(['broker', 'search', '--jsonl', 'harbour'], here);
  assert.deepEqual([code, stdout.trimEnd().split('\n').length], [0, documents]);
  const skipping = await runCommand(['broker', 'search', '--jsonl', '--offset', '3', 'harbour'], here);
  assert.deepEqual([skipping.code, skipping.stdout.trimEnd().split('\n').length], [0, documents - 3]);
});
