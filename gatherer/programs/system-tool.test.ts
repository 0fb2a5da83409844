import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findProgram } from './find-program.ts';
import { runTool } from './system-tool.ts';

const empty = new Uint8Array();

test('a program reads its standard input and returns its output, without our environment', async () => {
  assert.equal((await runTool('cat', [], Buffer.from('through'))).toString(), 'through');
  process.env.GARNER_SECRET_FOR_TEST = 'secret';
  const environment = (await runTool('env', [], empty)).toString();
  delete process.env.GARNER_SECRET_FOR_TEST;
  assert.doesNotMatch(environment, /secret/);
});

test('absent, failing, slow and verbose programs give their errors', async () => {
  assert.equal(findProgram('no-such-tool-here'), undefined);
  await assert.rejects(runTool('no-such-tool-here', [], empty), { code: 'GATHERER_TOOL_ABSENT' });
  await assert.rejects(runTool('false', [], empty), { code: 'GATHERER_TOOL_FAILED' });
  await assert.rejects(runTool('sleep', ['60'], empty, { seconds: 0.1 }), {
    code: 'GATHERER_TOOL_SLOW',
  });
  await assert.rejects(runTool('yes', [], empty, { outputBytes: 1000 }), {
    code: 'GATHERER_TOOL_VERBOSE',
  });
});

test('an abort ends it', async () => {
  const controller = new AbortController();
  const running = runTool('sleep', ['60'], empty, { signal: controller.signal });
  controller.abort(new Error('enough'));
  await assert.rejects(running, { message: 'enough' });
});

test('input that a program does not read is no error', async () => {
  await assert.rejects(runTool('false', [], Buffer.alloc(10_000_000)), { code: 'GATHERER_TOOL_FAILED' });
  assert.equal((await runTool('head', ['-c', '3'], Buffer.alloc(10_000_000, 'abc'))).toString(), 'abc');
});
