import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import fc from 'fast-check';
import { defineErrors, failure, ManualClock } from '../../kernel/index.ts';
import { fail } from '../command/fail.ts';
import { type InterruptSource, orInterrupted, watchInterrupts } from '../command/interrupt.ts';
import { Output, type OutputOptions, terminalSafe, terminalSafeJson, terminalSafeText } from './output.ts';
import { startProgress } from './progress.ts';

/** A stream that keeps what was written, and may be full. */
class Kept extends EventEmitter {
  text = '';
  isTTY: boolean;
  /** Writes wait here when set. */
  waiting: ((error?: Error) => void)[] | undefined;
  columns = 40;

  constructor(isTTY = false) {
    super();
    this.isTTY = isTTY;
  }

  write(text: string, written: (error?: Error) => void = () => {}): boolean {
    this.text += text;
    if (this.waiting === undefined) written();
    else this.waiting.push(written);
    return this.waiting === undefined;
  }
}

function output(options: Partial<OutputOptions> & { tty?: boolean } = {}) {
  const stdout = new Kept(options.tty);
  const stderr = new Kept(options.tty);
  return { stdout, stderr, output: new Output({ stdout, stderr, env: {}, ...options }) };
}

const endsWith = (stream: Kept, text: string) => stream.text.endsWith(text);
const turn = () => new Promise((resolve) => setImmediate(resolve));

const testErrors = defineErrors({
  STORE_LOCKED: {
    message: () => 'store is in use',
    hint: () => 'gatherer status      or   --data ./other',
    exit: 11,
    retry: 'later',
  },
});

test('foreign text cannot steer a terminal', () => {
  assert.equal(terminalSafe('a\x1b[31mred\x1b[0m b'), 'ared b');
  assert.equal(terminalSafe('\x1b]0;title\x07x\x1b]8;;http://e/\x07link'), 'xlink');
  assert.equal(terminalSafe('one\r\ntwo\n\nthree\tfour'), 'one two three four');
  assert.equal(terminalSafe('\x9b31m\u202ex\u2066\0\x7f\b'), 'x');
  assert.equal(terminalSafeText('one\r\ntwo\x1b[2J\ttab'), 'one\ntwo\ttab');
  assert.equal(terminalSafeText('overwritten\rhidden'), 'overwritten\nhidden');
  assert.equal(terminalSafe('naïve 日本 🎉'), 'naïve 日本 🎉');
  const value = { title: 'a\u009b31m\u202e\x7f\x1b[0m é' };
  assert.match(terminalSafeJson(value), /^[\x20-\x7e\u00a1-\u1fff]*$/);
  assert.deepEqual(JSON.parse(terminalSafeJson(value)), value);
});

test('nothing unsafe survives, whatever comes', () => {
  const nasty = fc.string({
    unit: fc.oneof(fc.constantFrom('\x1b', '[', ']', '\x07', '\x9b', 'm', '\r', '\n', '\u202e'), fc.string()),
  });
  fc.assert(
    fc.property(nasty, (text) => {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: it must not be there
      assert.doesNotMatch(terminalSafe(text), /[\0-\x1f\x7f-\x9f\u202a-\u202e]/);
      const json = terminalSafeJson(text);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: it must not be there
      assert.doesNotMatch(json, /[\0-\x1f\x7f-\x9f\u202a-\u202e]/);
      assert.equal(JSON.parse(json), text);
    }),
  );
});

test('data goes to stdout, everything else to stderr', async () => {
  const people = output();
  people.output.note('working');
  await people.output.result({ n: 1 }, ({ n }) => `n is ${n}`);
  assert.deepEqual([people.stdout.text, people.stderr.text], ['n is 1\n', 'working\n']);
  const json = output({ json: true });
  json.output.note('working');
  await json.output.result({ n: 1 }, () => 'never');
  assert.deepEqual([json.stdout.text, json.stderr.text], ['{"n":1}\n', '']);
  const quiet = output({ quiet: true });
  quiet.output.note('working');
  await quiet.output.data('data');
  assert.deepEqual([quiet.stdout.text, quiet.stderr.text], ['data\n', '']);
});

test('a full reader is waited for, one that left is not missed, a full disk is reported', async () => {
  const { stdout, output: out } = output();
  stdout.waiting = [];
  let written = false;
  const first = out.data('x').then(() => {
    written = true;
  });
  await turn();
  assert.equal(written, false);
  stdout.waiting.shift()?.();
  await first;
  const second = out.data('y');
  stdout.waiting.shift()?.(Object.assign(new Error('gone'), { code: 'EPIPE' }));
  await second;
  const third = out.data('z');
  stdout.waiting.shift()?.(Object.assign(new Error('full'), { code: 'ENOSPC' }));
  await assert.rejects(third, { code: 'ENOSPC' });
  stdout.emit('error', new Error('said again as an event'));
});

test('colours on a terminal only, and never with NO_COLOR or --no-color', () => {
  const red = '\x1b[31mx\x1b[39m';
  assert.equal(output({ tty: true }).output.style('red', 'x'), red);
  assert.equal(output({ tty: true, env: { NO_COLOR: '' } }).output.style('red', 'x'), red);
  assert.equal(output({ tty: true, env: { NO_COLOR: '1' } }).output.style('red', 'x'), 'x');
  assert.equal(output({ tty: true, env: { TERM: 'dumb' } }).output.style('red', 'x'), 'x');
  assert.equal(output({ tty: true, plain: true }).output.style('red', 'x'), 'x');
  assert.equal(output({ tty: false }).output.style('red', 'x'), 'x');
});

test('an error says what, where and cure, with its code', () => {
  const { stderr, output: out } = output();
  const error = failure(testErrors.STORE_LOCKED, { path: './garner-data' });
  assert.equal(fail(error, out), 11);
  assert.equal(
    stderr.text,
    [
      'error: store is in use                                   [STORE_LOCKED]',
      '  at    ./garner-data',
      '  try   gatherer status      or   --data ./other',
      '',
    ].join('\n'),
  );
});

test('causes are shown with --verbose, as far as they go', () => {
  const { stderr, output: out } = output();
  const loop = new Error('inner');
  loop.cause = loop;
  fail(failure(testErrors.STORE_LOCKED, {}, new Error('outer \x1b[31m', { cause: loop })), out, {
    verbose: true,
  });
  assert.match(stderr.text, /\n {2}cause Error: outer \n {2}cause Error: inner\n/);
  assert.equal(stderr.text.match(/cause/g)?.length, 10);
});

test('with --json an error is one JSON value on stderr', () => {
  const { stdout, stderr, output: out } = output({ json: true });
  const error = failure(testErrors.STORE_LOCKED, { path: '/x' }, new Error('why'));
  assert.equal(fail(error, out, { verbose: true }), 11);
  assert.equal(stdout.text, '');
  assert.deepEqual(JSON.parse(stderr.text), {
    error: {
      code: 'STORE_LOCKED',
      message: 'store is in use',
      hint: 'gatherer status      or   --data ./other',
      exit: 11,
      at: '/x',
      causes: ['Error: why'],
    },
  });
});

test('mistakes of programmers show their stack with --verbose, refusals of the system their code', () => {
  const brief = output();
  assert.equal(fail(new TypeError('x is undefined'), brief.output), 1);
  assert.match(
    brief.stderr.text,
    /^error: a mistake in Garner: x is undefined +\[PROGRAMMER\]\n {2}try {3}.*--verbose.*\n$/,
  );
  const mistake = output();
  assert.equal(fail(new TypeError('x is undefined'), mistake.output, { verbose: true }), 1);
  assert.match(mistake.stderr.text, /^TypeError: x is undefined\n {4}at .*output\.test/);
  assert.equal(fail('text', mistake.output), 1);
  const full = output();
  const refused = Object.assign(new Error('ENOSPC: no space left on device, write'), {
    code: 'ENOSPC',
    syscall: 'write',
  });
  assert.equal(fail(refused, full.output), 1);
  assert.match(full.stderr.text, /^error: ENOSPC: no space left on device, write +\[ENOSPC\]\n {2}try /);
});

test('Ctrl-C once asks to finish, twice ends at once', () => {
  const exits: number[] = [];
  const source = Object.assign(new EventEmitter(), { exit: (code: number) => exits.push(code) });
  let reported = 0;
  const interrupts = watchInterrupts(source as unknown as InterruptSource, () => reported++);
  source.emit('SIGINT');
  assert.deepEqual([interrupts.isInterrupted, exits.length, reported], [true, 0, 1]);
  const { output: out, stderr } = output();
  assert.equal(fail(interrupts.signal.reason, out), 130);
  assert.match(
    stderr.text,
    /^error: interrupted +\[CLI_INTERRUPTED\]\n {2}try {3}run the same command again/,
  );
  source.emit('SIGTERM');
  assert.deepEqual([exits, reported], [[130], 1]);
  interrupts[Symbol.dispose]();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) assert.equal(source.listenerCount(signal), 0);
  assert.equal(fail(new DOMException('stop', 'AbortError'), out), 130);
});

test('SIGHUP ends as Ctrl-C does however often it comes, and has servers away from a terminal read again', () => {
  const exits: number[] = [];
  const watch = (hasTerminal: boolean) => {
    const source = Object.assign(new EventEmitter(), {
      exit: (code: number) => exits.push(code),
      hasTerminal,
    });
    return { source, interrupts: watchInterrupts(source as unknown as InterruptSource) };
  };
  let reloads = 0;
  const closed = watch(true);
  closed.interrupts.whenHungUp(() => reloads++);
  for (let times = 0; times < 3; times++) closed.source.emit('SIGHUP');
  assert.deepEqual([closed.interrupts.isInterrupted, exits.length, reloads], [true, 0, 0]);
  closed.source.emit('SIGINT');
  assert.deepEqual(exits, [130]);
  const apart = watch(false);
  apart.interrupts.whenHungUp(() => reloads++);
  apart.source.emit('SIGHUP');
  assert.deepEqual([apart.interrupts.isInterrupted, reloads], [false, 1]);
  apart.source.emit('SIGTERM');
  apart.source.emit('SIGHUP');
  assert.deepEqual([apart.interrupts.isInterrupted, reloads, exits.length], [true, 1, 1]);
  const plain = watch(false);
  plain.source.emit('SIGHUP');
  assert.ok(plain.interrupts.isInterrupted);
});

test('work is left alone at an interrupt, and what it rejects with later disturbs nobody', async () => {
  const controller = new AbortController();
  assert.equal(await orInterrupted(Promise.resolve(3), controller.signal), 3);
  let failLate = (_: Error) => {};
  const work = new Promise<never>((_, reject) => {
    failLate = reject;
  });
  const waiting = orInterrupted(work, controller.signal);
  controller.abort(new Error('interrupted'));
  await assert.rejects(waiting, /interrupted/);
  await assert.rejects(orInterrupted(work, controller.signal), /interrupted/);
  failLate(new Error('late'));
  await turn();
});

test('on a terminal progress is one line that is painted over', async () => {
  const { stderr, stdout, output: out } = output({ tty: true });
  const clock = new ManualClock();
  let gathered = 1;
  const progress = startProgress({ output: out, clock, render: () => `${gathered} gathered` });
  assert.equal(stderr.text, '\r\x1b[K1 gathered');
  gathered = 2;
  clock.advance(100);
  await turn();
  clock.advance(100);
  await turn();
  assert.equal(stderr.text, '\r\x1b[K1 gathered\r\x1b[K2 gathered');
  out.note('a note');
  assert.ok(endsWith(stderr, '\r\x1b[Ka note\n2 gathered'));
  gathered = Number('9'.repeat(16));
  await progress.end('done');
  assert.ok(endsWith(stderr, '\r\x1b[Kdone\n'));
  await progress.end('again');
  assert.doesNotMatch(stderr.text, /again/);
  assert.equal(stdout.text, '');
});

test('a long progress line is cut to the terminal', () => {
  const { stderr, output: out } = output({ tty: true });
  out.status('x'.repeat(100));
  assert.equal(stderr.text, `\r\x1b[K${'x'.repeat(39)}`);
});

test('elsewhere progress is a plain line every five seconds, when it changed', async () => {
  const { stderr, output: out } = output();
  const clock = new ManualClock();
  let gathered = 1;
  await using _progress = startProgress({ output: out, clock, render: () => `${gathered} gathered` });
  for (const step of [4_999, 1, 5_000]) {
    clock.advance(step);
    await turn();
  }
  gathered = 2;
  clock.advance(5_000);
  await turn();
  assert.equal(stderr.text, '1 gathered\n2 gathered\n');
});

test('with --quiet or --json there is no progress', async () => {
  for (const silent of [{ quiet: true }, { json: true }]) {
    const { stderr, output: out } = output({ tty: true, ...silent });
    const clock = new ManualClock();
    const progress = startProgress({ output: out, clock, render: () => assert.fail('rendered') });
    clock.advance(10_000);
    await turn();
    await progress.end('done');
    assert.equal(stderr.text, '');
  }
});
