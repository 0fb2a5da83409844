// Loaded before a test file by `node --import`. node:test enables a hook that follows every promise, to find the test
// of an error that nothing caught. The hook makes a test that works in its own process up to twice as slow. Without the
// hook such an error still fails the file.
import { createHook } from 'node:async_hooks';
import { before } from 'node:test';
import { isMainThread } from 'node:worker_threads';

// A process or thread that a test starts may inherit the argument.
if (isMainThread && /\.test\.m?js$/.test(process.argv[1] ?? '')) {
  const hooks = Object.getPrototypeOf(createHook({})) as { enable(): unknown };
  const { enable } = hooks;
  hooks.enable = function (this: unknown) {
    return this;
  };
  // The first call of node:test in a process enables its hook.
  before(() => undefined);
  hooks.enable = enable;
}
