import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { TokenBucket } from '../../../fetch/index.ts';
import { ManualClock } from '../../../kernel/index.ts';
import { advanceUntil, brief, openServer, RunMemory, scratch, textOf } from '../../testing/run-memory.ts';
import { parseRootNode } from '../root-node.ts';
import { ScopeRule } from '../scope-rule.ts';
import { NewsEnumerator, type NewsEnumeratorOptions } from './news-enumerator.ts';
import { newsPlace } from './news-urls.ts';

const program = '/usr/sbin/snntpd';
const absent = existsSync(program) ? undefined : 'SKIPPED: apt-get install sn';

function enumerating(url: string, more: object = {}, options: Partial<NewsEnumeratorOptions> = {}) {
  return new NewsEnumerator({ rule: new ScopeRule(parseRootNode({ url, ...more }, 'root')), ...options });
}

/** Debian's sn with a spool of its own; it speaks on its standard input and output. */
async function openNews() {
  const home = scratch('sn');
  const env = { ...process.env, SNROOT: home.path };
  const tool = (name: string, args: string[], input = '') =>
    execFileSync(`/usr/sbin/${name}`, args, { env, input, stdio: ['pipe', 'pipe', 'ignore'] });
  tool('snprimedb', []);
  for (const group of ['local.test', 'local.other']) tool('snnewgroup', [group]);
  const asked: string[] = [];
  const server = await openServer((socket) => {
    const child = spawn(program, [], { env, stdio: ['pipe', 'pipe', 'ignore'] });
    child.stdin.on('error', () => undefined);
    socket.on('data', (data) => asked.push(...String(data).split('\r\n').filter(Boolean)));
    socket.pipe(child.stdin);
    child.stdout.pipe(socket);
    socket.once('close', () => child.kill());
  });
  return {
    /** Commands since the last call, without QUIT. */
    commands: () => asked.splice(0).filter((line) => line !== 'QUIT'),
    url: `nntp://127.0.0.1:${server.port}/`,
    cancel: (spec: string) => tool('sncancel', [spec]),
    post(id: number, groups: string, body: string) {
      const head = [`From: a@example.org`, `Newsgroups: ${groups}`, `Subject: number ${id}`];
      const more = [`Date: Tue, 01 Feb 2022 10:00:0${id} +0000`, `Message-ID: <${id}@example.org>`];
      tool('snstore', [], `${[...head, ...more, '', ...body.split('\n')].join('\r\n')}\r\n.\r\n`);
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      home[Symbol.dispose]();
    },
  };
}

test('Debian’s sn: articles under nntp://host/group/number, each requested only once', async (t) => {
  if (absent) return t.skip(absent);
  await using news = await openNews();
  news.post(1, 'local.test', 'first\n..dotted');
  news.post(2, 'local.test,local.other', 'second');
  const runs = new RunMemory();
  const group = () => enumerating(`${news.url}local.test`);
  const first = await runs.run(group());
  assert.deepEqual(brief(first, news.url), ['document local.test/10', 'document local.test/11']);
  const [article] = first;
  assert.ok(article?.kind === 'document');
  assert.equal(article.document.lastModified, Date.UTC(2022, 1, 1, 10, 0, 1) / 1000);
  assert.match(textOf(first, '/10') ?? '', /Subject: number 1\n[\s\S]*\n\nfirst\n\.dotted\n/);
  news.commands();
  assert.deepEqual(brief(await runs.run(group()), news.url), [
    'unchanged local.test/10',
    'unchanged local.test/11',
  ]);
  assert.deepEqual(news.commands(), ['MODE READER', 'GROUP local.test']);
  news.post(3, 'local.test', 'third');
  const third = await runs.run(group());
  assert.deepEqual(brief(third, news.url), [
    'unchanged local.test/10',
    'unchanged local.test/11',
    'document local.test/12',
  ]);
  assert.deepEqual(news.commands().slice(2), ['OVER 12-12', 'XOVER 12-12', 'ARTICLE 12']);
});

test('Debian’s sn: all groups, an article of two groups once, and a cancelled article is gone', async (t) => {
  if (absent) return t.skip(absent);
  await using news = await openNews();
  for (const id of [1, 2, 3]) news.post(id, id === 2 ? 'local.test,local.other' : 'local.test', `body ${id}`);
  const runs = new RunMemory();
  const clock = new ManualClock();
  const all = () => enumerating(`${news.url}local.*`, {}, { clock });
  const first = await runs.run(all());
  assert.deepEqual(brief(first, news.url), [
    ...[
      'document local.other/10',
      'document local.test/10',
      'double local.test/11',
      'document local.test/12',
    ],
  ]);
  assert.equal(first.filter(({ kind }) => kind === 'sitemap').length, 2);
  news.cancel('local.test:10');
  // Its count is an estimate: everything is listed again only a day later.
  clock.advance(25 * 3600 * 1000);
  const reported = brief(await runs.run(all()), news.url);
  assert.ok(
    !reported.some((line) => / local\.test\/10$/.test(line) && !line.startsWith('gone')),
    reported.join(),
  );
  assert.ok(!runs.rows.has(`${news.url}local.test/10`));
  assert.ok(runs.rows.has(`${news.url}local.test/12`));
  await assert.rejects(runs.run(enumerating(`${news.url}local.none`)), { code: 'GATHERER_NEWS' });
});

/** A server that answers each command from a table. */
async function openFake(answers: Record<string, string | undefined>, greeting = '200 ready\r\n') {
  const asked: string[] = [];
  const server = await openServer((socket: Socket) => {
    socket.write(greeting);
    socket.setEncoding('latin1').on('data', (data) => {
      for (const line of String(data).split('\r\n').filter(Boolean)) {
        asked.push(line);
        const answer = answers[line] ?? answers[line.split(' ')[0] ?? ''];
        if (answer !== undefined) socket.write(answer, 'latin1');
      }
    });
  });
  return {
    asked,
    url: `nntp://127.0.0.1:${server.port}/`,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const usual = {
  MODE: '201 reader\r\n',
  'GROUP g': '211 2 1 2 g\r\n',
  OVER: '224 here\r\n1\ts\tf\td\t<1@x>\t\t9\t1\r\n2\ts\tf\td\t<2@x>\t\t9\t1\r\n.\r\n',
  ARTICLE: '220 here\r\nSubject: s\r\n\r\nbody\r\n.\r\n',
};

test('a server that stalls, closes or sends invalid answers is a typed error, and nothing hangs', async () => {
  const cases: [Record<string, string | undefined>, string, string][] = [
    [{}, '', 'FETCH_TIMEOUT'],
    [{ ...usual, 'GROUP g': undefined }, '200 hi\r\n', 'FETCH_TIMEOUT'],
    [{ ...usual, ARTICLE: '220 here\r\nno end\r\n' }, '200 hi\r\n', 'FETCH_TIMEOUT'],
    [usual, '502 go away\r\n', 'GATHERER_NEWS'],
    [usual, 'HTTP/1.1 400 Bad Request\r\n', 'GATHERER_NEWS'],
    [usual, `${'x'.repeat(100_000)}\r\n`, 'GATHERER_NEWS'],
    [{ ...usual, OVER: '400 closing\r\n' }, '200 hi\r\n', 'GATHERER_NEWS'],
    [{ ...usual, 'GROUP g': '211 a b c\r\n' }, '200 hi\r\n', 'GATHERER_NEWS'],
  ];
  for (const [answers, greeting, code] of cases) {
    await using fake = await openFake(answers, greeting);
    const clock = new ManualClock();
    const failed = assert.rejects(
      new RunMemory().run(enumerating(`${fake.url}g`, {}, { clock })),
      { code },
      code,
    );
    await (code === 'FETCH_TIMEOUT' ? advanceUntil(clock, failed, 20) : failed);
  }
});

test('lying lists and lengths: numbers outside the range, endless lines, articles beyond the limit', async () => {
  await using fake = await openFake({
    ...usual,
    OVER: `224 here\r\n7\tx\r\nnonsense\r\n1\t${'y'.repeat(200_000)}\r\n2\tok\r\n-1\t\r\n.\r\n`,
    'ARTICLE 2': `220 here\r\nSubject: s\r\n\r\n${'z'.repeat(50_000)}\r\n.\r\n`,
  });
  const reported = await new RunMemory().run(enumerating(`${fake.url}g`, {}, { maxBytes: 10_000 }));
  assert.deepEqual(brief(reported, fake.url), ['skipped g/2']);
  assert.ok(!fake.asked.some((line) => line.includes('7')));
});

test('a limit is reported, and articles it cut are requested when it is raised', async () => {
  await using fake = await openFake(usual);
  const runs = new RunMemory();
  const reported = await runs.run(enumerating(`${fake.url}g`, { 'url-max': 1 }));
  const [, cut] = reported;
  assert.deepEqual(brief(reported, fake.url), ['document g/1', 'skipped g/2']);
  assert.ok(cut?.kind === 'skipped' && cut.limit && cut.rule.includes('no more than 1 URLs'));
  assert.deepEqual(brief(await runs.run(enumerating(`${fake.url}g`)), fake.url), [
    'unchanged g/1',
    'document g/2',
  ]);
});

test('an article that a filter left out is requested in the first run without it', async () => {
  await using fake = await openFake(usual);
  const runs = new RunMemory();
  const options = { clock: new ManualClock() };
  const filtered = enumerating(`${fake.url}g`, { 'url-filter': [{ deny: '/1$' }] }, options);
  assert.deepEqual(brief(await runs.run(filtered), fake.url), ['skipped g/1', 'document g/2']);
  const reported = brief(await runs.run(enumerating(`${fake.url}g`, {}, options)), fake.url);
  assert.deepEqual(reported, ['document g/1', 'unchanged g/2']);
});

test('after decreasing numbers articles are others, and user and password are sent when requested', async () => {
  const answers: Record<string, string> = {
    ...usual,
    'AUTHINFO USER anna': '381 more\r\n',
    'AUTHINFO PASS pw': '281 in\r\n',
  };
  await using fake = await openFake(answers);
  const runs = new RunMemory();
  const options = { login: { user: 'anna', password: 'pw' } };
  await runs.run(enumerating(`${fake.url}g`, {}, options));
  assert.deepEqual(fake.asked.slice(0, 3), ['AUTHINFO USER anna', 'AUTHINFO PASS pw', 'MODE READER']);
  answers['GROUP g'] = '211 1 1 1 g\r\n';
  answers.OVER = '224 here\r\n1\ts\r\n.\r\n';
  answers.ARTICLE = '220 here\r\nSubject: new\r\n\r\nother\r\n.\r\n';
  const reported = await runs.run(enumerating(`${fake.url}g`, {}, options));
  assert.match(textOf(reported, 'g/1') ?? '', /other/);
  assert.ok(!runs.rows.has(`${fake.url}g/2`));
  answers['AUTHINFO PASS pw'] = '481 no\r\n';
  await assert.rejects(
    runs.run(enumerating(`${fake.url}g`, {}, options)),
    (error: Error) => !/pw|anna/.test(error.message),
  );
});

test('commands wait for the rate of all requests', async () => {
  await using fake = await openFake(usual);
  const clock = new ManualClock(0);
  const rate = new TokenBucket({ clock, perSecond: 1, burst: 1 });
  const run = new RunMemory().run(enumerating(`${fake.url}g`, {}, { clock, rate }));
  await advanceUntil(clock, run, 20);
  assert.deepEqual(brief(await run, fake.url), ['document g/1', 'document g/2']);
  assert.equal(fake.asked.filter((line) => line !== 'QUIT').length, 5);
  assert.ok(clock.now() >= 4000, String(clock.now()));
});

test('a news: URL needs a server, and only articles of the root are decided for', async () => {
  assert.throws(() => newsPlace('news:comp.lang.c'), { code: 'GATHERER_ROOT_NODE' });
  assert.deepEqual(newsPlace('news:comp.lang.c', 'News.example.org:1119'), {
    ...{ hostname: 'news.example.org', port: 1119, tls: false, groups: 'comp.lang.c' },
  });
  assert.deepEqual(newsPlace('nntps://h/'), { hostname: 'h', port: 563, tls: true, groups: '*' });
  const root = enumerating('nntp://h/comp.*,!comp.os');
  assert.equal((await root.decide('nntp://h/comp.lang/12')).included, true);
  assert.equal((await root.decide('nntp://h/comp.os/12')).included, false);
  assert.equal((await root.decide('news:<1@x>')).included, false);
});

test('a server that has lost its groups deletes nothing, and groups beyond the limit are reported', async () => {
  const answers: Record<string, string> = {
    ...usual,
    LIST: '215 list\r\ng 2 1 y\r\nh 2 1 y\r\n.\r\n',
    'GROUP h': '211 2 1 2 h\r\n',
  };
  await using fake = await openFake(answers);
  const runs = new RunMemory();
  const reported = await runs.run(enumerating(`${fake.url}*`, {}, { maxGroups: 1 }));
  const [cut] = reported;
  assert.ok(cut?.kind === 'skipped' && cut.limit && /no more than 1 groups.*: 1 are left out/.test(cut.rule));
  assert.deepEqual(brief(reported.slice(1), fake.url), ['document g/1', 'document g/2']);
  answers.LIST = '215 list\r\n.\r\n';
  await assert.rejects(runs.run(enumerating(`${fake.url}*`)), { code: 'GATHERER_NEWS' });
  assert.ok(runs.rows.has(`${fake.url}g/1`));
});

// Time passes faster than any network.
const patient = { connectTimeoutMs: 1e6, idleTimeoutMs: 1e6 };

test('an endless answer is aborted, by its length or by its time', async () => {
  const lines = `${'x'.repeat(998)}\r\n`.repeat(1000);
  await using fake = await openFake({ ...usual, ARTICLE: `220 here\r\n${lines}` });
  const clock = new ManualClock(0);
  const options = { clock, maxBytes: 1000, maxAnswerBytes: 100_000 };
  const long = new RunMemory().run(enumerating(`${fake.url}g`, {}, options));
  await assert.rejects(long, { code: 'GATHERER_NEWS' });
  const drip = async (socket: Socket) => {
    while (!socket.destroyed) {
      socket.write('x');
      await clock.sleep(20_000);
    }
  };
  await using drops = await openServer((socket) => {
    socket.write('200 hi\r\n');
    socket.on('data', (data) => {
      if (String(data).startsWith('GROUP')) void drip(socket);
      else socket.write('201 reader\r\n');
    });
  });
  const url = `nntp://127.0.0.1:${drops.port}/g`;
  const slow = new RunMemory().run(enumerating(url, {}, { clock, ...patient, totalTimeoutMs: 60_000 }));
  await advanceUntil(clock, assert.rejects(slow, /took longer than 60 s/), 100);
});

test('commands are sent with the delay of the root', async () => {
  await using fake = await openFake(usual);
  const clock = new ManualClock(0);
  const run = new RunMemory().run(enumerating(`${fake.url}g`, { delay: '40s' }, { clock, ...patient }));
  await advanceUntil(clock, run, 100);
  assert.deepEqual(brief(await run, fake.url), ['document g/1', 'document g/2']);
  // MODE, GROUP, OVER and two articles.
  assert.ok(clock.now() >= 160_000, String(clock.now()));
});
