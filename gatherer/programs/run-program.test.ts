import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { isGarnerError } from '../../kernel/index.ts';
import { programErrors } from './errors.ts';
import { type ProgramRun, plainEnvironment, runProgram } from './run-program.ts';

const node = (script: string): readonly string[] => [process.execPath, '-e', script];

async function failsWith(run: ProgramRun, kind: { readonly code: string }, words: RegExp): Promise<void> {
  await assert.rejects(runProgram(run), (error) => {
    assert.ok(isGarnerError(error, kind), String(error));
    assert.match(error.message, words);
    return true;
  });
}

test('a program gets its input and gives its output', async () => {
  const input = Buffer.alloc(300_000, 'words ');
  assert.deepEqual(await runProgram({ command: ['cat'], input }), input);
  assert.equal(String(await runProgram({ command: ['printf', '%s', '$HOME; "a b"'] })), '$HOME; "a b"');
});

test('the environment is plain, with added variables', async () => {
  process.env.GARNER_SECRET_OF_TEST = 'x';
  try {
    const output = await runProgram({
      command: ['env'],
      env: { ...plainEnvironment(), GARNER_URL: 'http://x/' },
    });
    assert.match(String(output), /^GARNER_URL=http:\/\/x\/$/m);
    assert.doesNotMatch(String(output), /GARNER_SECRET/);
  } finally {
    delete process.env.GARNER_SECRET_OF_TEST;
  }
});

test('a program that is not there, that fails, and that does not read', async () => {
  await failsWith({ command: ['/nowhere/at-all'] }, programErrors.PROGRAM_ABSENT, /nowhere/);
  await failsWith({ command: ['sh', '-c', 'echo bad >&2; exit 3'] }, programErrors.PROGRAM_FAILED, /3: bad/);
  assert.equal(String(await runProgram({ command: ['true'], input: Buffer.alloc(1_000_000) })), '');
});

test('time and output are bounded, and children end with it', async () => {
  await failsWith({ command: ['yes'], outputBytes: 10_000 }, programErrors.PROGRAM_LIMIT, /10000 bytes/);
  const waits = 'sleep 600 & echo $! >&2; wait';
  await failsWith({ command: ['sh', '-c', waits], seconds: 0.2 }, programErrors.PROGRAM_LIMIT, /0.2 seconds/);
});

test('one that has ended is not waited for because another holds its output', {
  timeout: 25_000,
}, async (t) => {
  const limit = [programErrors.PROGRAM_LIMIT, /0.5 seconds/] as const;
  const leaves = (program: string) => ['sh', '-c', `${program} & exit 0`];
  await failsWith({ command: leaves('sleep 60'), seconds: 0.5 }, ...limit);
  const abort = new AbortController();
  const running = runProgram({ command: leaves('sleep 60'), signal: abort.signal });
  abort.abort(new Error('enough'));
  await assert.rejects(running, /enough/);
  if (!existsSync('/usr/bin/setsid')) return t.skip('SKIPPED: setsid (util-linux) is not installed');
  // In a session of its own it is not killed; its output is not read any more.
  await failsWith({ command: leaves('setsid sleep 30'), seconds: 0.5 }, ...limit);
});

test('an abort ends it', async () => {
  const abort = new AbortController();
  const running = runProgram({
    command: node('setInterval(() => {}, 1000)'),
    memoryBytes: 2 ** 40,
    signal: abort.signal,
  });
  abort.abort(new Error('enough'));
  await assert.rejects(running, /enough/);
});
