import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startFederation } from './federation.ts';
import { startMember } from './member.ts';

test('a server of the demo that is still starting is ended when the demo fails or is interrupted', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'garner-member-'));
  const ended = () => assert.fail('it was not ready');
  const args = ['registry', 'serve', '--port', '0'];
  const member = startMember({ name: 'Registry', args, cwd, ended });
  const refused = assert.rejects(member.ready, { code: 'CLI_DEMO_SERVER' });
  await member[Symbol.asyncDispose]();
  await refused;
  assert.throws(() => process.kill(member.pid, 0), { code: 'ESRCH' });
  await rm(cwd, { recursive: true });
  const interrupt = new AbortController();
  const starting = startFederation({ port: 0, signal: interrupt.signal, ended });
  const reason = new Error('Ctrl-C');
  // Asked just before a server is started, so the interrupt comes while the first one starts.
  interrupt.signal.throwIfAborted = () => setImmediate(() => interrupt.abort(reason));
  await assert.rejects(starting, reason);
});
