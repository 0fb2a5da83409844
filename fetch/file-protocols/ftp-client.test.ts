import assert from 'node:assert/strict';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import { isGarnerError, ManualClock } from '../../kernel/index.ts';
import { TokenBucket } from '../client/token-bucket.ts';
import { FtpClient, type FtpClientOptions } from './ftp-client.ts';
import { ftpName, ftpPlace, ftpSegment } from './ftp-urls.ts';

type Answer = string | ((server: FakeFtp, socket: Socket) => void);

/** An FTP server that answers each command as a table says. */
class FakeFtp implements AsyncDisposable {
  readonly said: string[] = [];
  readonly sockets: Socket[] = [];
  readonly #control: Server;
  readonly #data: Server;
  #answers: Record<string, Answer>;
  /** Sent on the next data connection; undefined leaves it open. */
  payload: string | Uint8Array | undefined = '';
  dataSocket: Socket | undefined;

  constructor(answers: Record<string, Answer>) {
    this.#answers = answers;
    this.#control = createServer((socket) => this.#talk(socket));
    this.#data = createServer((socket) => {
      this.sockets.push(socket);
      this.dataSocket = socket;
      socket.on('error', () => undefined);
      if (this.payload !== undefined) socket.end(this.payload);
    });
  }

  async open(): Promise<this> {
    for (const server of [this.#control, this.#data])
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get port(): number {
    return (this.#control.address() as AddressInfo).port;
  }

  get url(): string {
    return `ftp://127.0.0.1:${this.port}/`;
  }

  get dataPort(): number {
    return (this.#data.address() as AddressInfo).port;
  }

  set answers(answers: Record<string, Answer>) {
    this.#answers = answers;
  }

  #talk(socket: Socket): void {
    this.sockets.push(socket);
    socket.on('error', () => undefined).setEncoding('latin1');
    socket.write('220 ready\r\n');
    socket.on('data', (text) => {
      for (const line of String(text).split('\r\n').filter(Boolean)) {
        this.said.push(line);
        const name = line.split(' ')[0] ?? '';
        const { dataPort } = this;
        const usual: Record<string, Answer> = {
          USER: '331 password',
          PASS: '230 in',
          FEAT: '211 none',
          PWD: '257 "/"',
          CWD: '250 ok',
          EPSV: `229 ok (|||${dataPort}|)`,
          PASV: `227 ok (127,0,0,1,${dataPort >> 8},${dataPort & 255})`,
          LIST: '150 here\r\n226 done',
          RETR: '150 here\r\n226 done',
          QUIT: '221 bye',
        };
        const answer = this.#answers[name] ?? usual[name] ?? '200 ok';
        if (typeof answer === 'string') socket.write(`${answer}\r\n`, 'latin1');
        else answer(this, socket);
      }
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    for (const server of [this.#control, this.#data]) await new Promise((resolve) => server.close(resolve));
  }
}

const fake = (answers: Record<string, Answer> = {}) => new FakeFtp(answers).open();
const clientOf = (server: FakeFtp, more: FtpClientOptions = {}) =>
  new FtpClient({ allowHosts: [server.url], ...more });
const code = (wanted: string) => (error: unknown) => isGarnerError(error) && error.code === wanted;

test('data is read from the host connected to only', async () => {
  await using server = await fake({ EPSV: '502 no', PASV: '227 Entering (192,0,2,7,4,1)' });
  await using client = clientOf(server);
  await assert.rejects(client.list(server.url), (error) => {
    assert.ok(isGarnerError(error) && error.code === 'FETCH_FTP_BOUNCE', String(error));
    return error.message.includes('192.0.2.7');
  });
});

test('private addresses are refused unless the operator named them, names too', async () => {
  await using server = await fake();
  await using client = new FtpClient({
    lookup: (_host, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
  });
  await assert.rejects(client.list(server.url), code('FETCH_PRIVATE_ADDRESS'));
  await assert.rejects(client.list(`ftp://example.org:${server.port}/`), code('FETCH_PRIVATE_ADDRESS'));
  assert.deepEqual(server.said, []);
});

test('user and password come from configuration, and no error shows them', async () => {
  await using server = await fake({ PASS: '530 Login incorrect' });
  const requested: string[] = [];
  await using client = clientOf(server, {
    credentials: (url) => {
      requested.push(url);
      return { user: 'anna', password: 'sésame' };
    },
  });
  await assert.rejects(client.read(`${server.url}x`), (error) => {
    assert.ok(isGarnerError(error) && error.code === 'FETCH_FTP_LOGIN');
    return !/s.same|anna/.test(JSON.stringify([error.message, error.hint, error.data]));
  });
  assert.deepEqual(requested, [`${server.url}x`]);
  assert.ok(server.said.includes(`PASS ${Buffer.from('sésame').toString('latin1')}`));
  await assert.rejects(client.read(`ftp://anna:x@127.0.0.1:${server.port}/x`), code('FETCH_BAD_URL'));
});

test('names are bytes: every listed name can be requested', async () => {
  await using server = await fake();
  server.payload = Buffer.from(
    '-rw-r--r-- 1 a b 3 Nov 21 10:20 gr\xfc\xdfe;type=a\r\ndrwxr-xr-x 2 a b 4096 Jan  1  2020 d\r\n',
    'latin1',
  );
  await using client = clientOf(server);
  const [file, folder] = await client.list(server.url);
  assert.deepEqual(file, { name: 'gr\xfc\xdfe;type=a', kind: 'file', size: 3, listed: 'Nov 21 10:20' });
  assert.deepEqual([folder?.kind, folder?.listed], ['folder', 'Jan 1 2020']);
  server.payload = 'abc';
  const url = server.url + ftpSegment(file?.name ?? '');
  assert.match(url, /gr%FC%DFe%3Btype=a$/);
  assert.equal(Buffer.from(await client.read(url)).toString(), 'abc');
  assert.ok(server.said.includes('RETR /gr\xfc\xdfe;type=a'));
  assert.equal(ftpName('gr\xfc\xdfe'), 'grüße');
  assert.equal(ftpName(Buffer.from('größe').toString('latin1')), 'größe');
});

test('one connection is used from file to file, and a new one after the server closed it', async () => {
  await using server = await fake();
  server.payload = 'x';
  await using client = clientOf(server);
  await Promise.all(['a', 'b', 'c'].map((name) => client.read(server.url + name)));
  assert.equal(client.counts.connections, 1);
  const closed = new Promise((resolve) => server.sockets[0]?.once('close', resolve));
  server.answers = {
    EPSV: (_, socket) => {
      server.answers = {};
      socket.end('421 too long without a word\r\n');
    },
  };
  assert.equal((await client.read(`${server.url}d`)).length, 1);
  await closed;
  assert.equal(client.counts.connections, 2);
});

test('a server that stalls is abandoned by the clock: at the greeting, in a listing, in a file', async () => {
  for (const stalled of ['USER', 'LIST', 'RETR']) {
    await using server = await fake({ [stalled]: () => undefined });
    server.payload = undefined;
    const clock = new ManualClock();
    await using client = clientOf(server, { clock });
    const reading = stalled === 'LIST' ? client.list(server.url) : client.read(`${server.url}x`);
    const failed = assert.rejects(reading, code('FETCH_TIMEOUT'), stalled);
    let settled = false;
    const watched = failed.finally(() => {
      settled = true;
    });
    while (!settled) {
      if (server.said.some((line) => line.startsWith(stalled))) clock.advance(10_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await watched;
  }
});

test('a listing or file without end is cut at its bound, and an abort ends at once', async () => {
  await using server = await fake();
  server.payload = '-rw-r--r-- 1 a b 3 Nov 21 10:20 name\r\n'.repeat(5000);
  await using client = clientOf(server, { maxListingBytes: 10_000 });
  await assert.rejects(client.list(server.url), code('FETCH_FTP_SPEECH'));
  await assert.rejects(client.read(`${server.url}x`, { maxBytes: 1000 }), code('FETCH_TOO_LARGE'));
  server.answers = { RETR: () => undefined };
  const stop = new AbortController();
  const reading = client.read(`${server.url}x`, { signal: stop.signal });
  const reason = new Error('enough');
  setImmediate(() => stop.abort(reason));
  await assert.rejects(reading, reason);
});

test('answers without end, and invalid ones, are typed errors', async () => {
  for (const answer of ['x'.repeat(70_000), '230-never\r\nended', 'SSH-2.0-x', '\0\xff']) {
    await using server = await fake({ PASS: answer });
    const clock = new ManualClock();
    await using client = clientOf(server, { clock });
    let settled = false;
    const failed = assert
      .rejects(client.read(`${server.url}x`), (error) => isGarnerError(error))
      .finally(() => {
        settled = true;
      });
    while (!settled) {
      if (server.said.some((line) => line.startsWith('PASS'))) clock.advance(1000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await failed;
  }
});

test('as a Fetch: status, date and conditional requests', async () => {
  await using server = await fake({ FEAT: '211-x\r\n MDTM\r\n211 end', MDTM: '213 20200102030405' });
  server.payload = 'text';
  await using client = clientOf(server);
  const response = await client.fetch({ url: `${server.url}x` });
  assert.deepEqual([response.status, response.lastModified], [200, 1_577_934_245]);
  const again = await client.fetch({ url: `${server.url}x`, lastModified: 1_577_934_245 });
  assert.deepEqual([again.status, again.notModified], [304, true]);
  server.answers = { RETR: '550 No such file' };
  assert.equal((await client.fetch({ url: `${server.url}x` })).status, 404);
  server.answers = { RETR: '553 Not with this name, not even 550 times' };
  assert.equal((await client.fetch({ url: `${server.url}x` })).status, 403);
  for (const busy of ['425 No data connection', '450 Busy, not 550', '451 Local error', '452 Full']) {
    server.answers = { RETR: busy };
    await assert.rejects(client.fetch({ url: `${server.url}x` }), code('FETCH_FTP_BUSY'), busy);
  }
  server.answers = { LIST: '450 Busy' };
  await assert.rejects(client.list(server.url), code('FETCH_FTP_BUSY'));
});

test('URLs: any name survives, and no path leads upwards or holds a command', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 40 }), (bytes) => {
      const name = Buffer.from(bytes).toString('latin1');
      fc.pre(!/[/\0\r\n]/.test(name) && name !== '.' && name !== '..');
      assert.equal(ftpPlace(`ftp://h/${ftpSegment(name)}`).path, name);
    }),
  );
  assert.deepEqual(ftpPlace('ftp://h:2121/%2Fetc/x;type=i'), { hostname: 'h', port: 2121, path: '/etc/x' });
  for (const bad of [
    'ftp://h/a%0d%0aDELE x',
    'ftp://h/%00',
    'ftp://h/a/b%2Fc',
    'http://h/',
    'x',
    'ftp://h/a/%2f',
  ])
    assert.throws(() => ftpPlace(bad), code('FETCH_BAD_URL'), bad);
  // The URL class removes dots before any check.
  assert.equal(ftpPlace('ftp://h/a/%2e%2e/%2e%2e/b').path, 'b');
});

test('files and folders wait for the rate of all requests', async () => {
  await using server = await fake();
  const clock = new ManualClock(0);
  const rate = new TokenBucket({ clock, perSecond: 1, burst: 1 });
  await using client = clientOf(server, { clock, rate });
  await client.list(server.url);
  const second = client.list(server.url);
  let over = false;
  const done = second.then(() => {
    over = true;
  });
  for (; !over; clock.advance(20)) await new Promise((resolve) => setImmediate(resolve));
  await done;
  assert.ok(clock.now() >= 1000, String(clock.now()));
});

const sized = { FEAT: '211-x\r\n SIZE\r\n MDTM\r\n211 end', MDTM: '213 20200102030405' };

test('a file streams in, with its date and size, over the open connection', async () => {
  await using server = await fake({ ...sized, SIZE: '213 4' });
  server.payload = 'text';
  await using client = clientOf(server);
  const { content, modified, size } = await client.open(`${server.url}x`);
  assert.deepEqual([modified, size], [1_577_934_245, 4]);
  assert.equal(Buffer.concat(await content.toArray()).toString(), 'text');
  server.payload = '';
  server.answers = { SIZE: '213 0' };
  const empty = await client.open(`${server.url}empty`);
  assert.deepEqual(await empty.content.toArray(), []);
  server.answers = { RETR: '550 No such file' };
  await assert.rejects(client.open(`${server.url}none`), code('FETCH_FTP_REFUSED'));
  assert.equal(client.counts.connections, 1);
});

test('a file that ends too early, goes on too long or that the server takes back fails in the middle', async () => {
  const faults: Record<string, Record<string, Answer>> = {
    short: { SIZE: '213 5' },
    long: { SIZE: '213 3' },
    back: { SIZE: '500 no', RETR: '150 here\r\n426 broken off' },
  };
  for (const [name, answers] of Object.entries(faults)) {
    await using server = await fake({ ...sized, ...answers });
    server.payload = 'text';
    await using client = clientOf(server);
    const reading = client.open(`${server.url}x`).then(({ content }) => content.toArray());
    await assert.rejects(reading, (error) => isGarnerError(error), name);
  }
});

test('a slow reader holds the server back and does not count as silence, and one that leaves ends it', async () => {
  await using server = await fake();
  const payload = Buffer.alloc(32 * 1024 * 1024, 1);
  server.payload = payload;
  const clock = new ManualClock();
  await using client = clientOf(server, { clock });
  const { content } = await client.open(`${server.url}x`);
  const sent = () => server.dataSocket?.bytesWritten ?? 0;
  for (let before = -1; before !== sent(); ) {
    before = sent();
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }
  assert.ok(content.readableLength <= 1024 * 1024, String(content.readableLength));
  for (let waited = 0; waited < 100_000; waited += 5000) {
    clock.advance(5000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  let length = 0;
  for await (const piece of content) length += (piece as Buffer).length;
  assert.equal(length, payload.length);
  const left = await client.open(`${server.url}x`);
  const closed = new Promise((resolve) => server.dataSocket?.once('close', resolve));
  left.content.destroy();
  await closed;
  server.payload = 'x';
  assert.equal((await client.read(`${server.url}y`)).length, 1);
});

test('more connections to one server keep readers from waiting for each other', async () => {
  await using server = await fake();
  server.payload = Buffer.alloc(4 * 1024 * 1024, 1);
  await using client = clientOf(server, { perServer: 2 });
  const slow = await client.open(`${server.url}slow`);
  assert.equal((await client.read(`${server.url}a`)).length, 4 * 1024 * 1024);
  assert.equal((await client.read(`${server.url}b`)).length, 4 * 1024 * 1024);
  assert.equal(client.counts.connections, 2);
  slow.content.destroy();
});

test('a name with another password does not use the connection of the first', async () => {
  await using server = await fake();
  await using client = clientOf(server);
  await client.list(server.url, { login: { user: 'anna', password: 'one' } });
  await client.list(server.url, { login: { user: 'anna', password: 'two' } });
  assert.deepEqual(
    server.said.filter((line) => line.startsWith('PASS')),
    ['PASS one', 'PASS two'],
  );
  const login = { user: 'anna', password: 'x\r\nDELE y' };
  await assert.rejects(client.list(server.url, { login }), code('FETCH_FTP_LOGIN'));
});
