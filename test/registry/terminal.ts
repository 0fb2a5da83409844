import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { commandEnvironment } from '../commands/command.ts';

const garner = fileURLToPath(new URL('../../cli/garner.js', import.meta.url));

/** Gives a command a terminal of its own. */
export const script = '/usr/bin/script';

/** Run a command on a terminal of its own, that of script(1). */
export function upOnTerminal(args: readonly string[], { cwd }: { readonly cwd: string }) {
  const line = [process.execPath, garner, ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn(script, ['-qec', line, '/dev/null'], { cwd, env: commandEnvironment({}) });
  let shown = '';
  let look = () => {};
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    look();
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  return {
    /** Wait until the terminal shows this. */
    said: (pattern: RegExp) =>
      new Promise<void>((resolve, reject) => {
        look = () => pattern.test(shown) && resolve();
        void ended.then(() => reject(new Error(`it ended after: ${shown}`)));
        look();
      }),
    type: (text: string) => child.stdin.write(text),
    /** Press Ctrl-C, and wait for the end. */
    stop: async () => {
      child.stdin.write('\x03');
      await ended;
    },
  };
}
