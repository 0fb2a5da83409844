import { EventEmitter } from 'node:events';
import { allSettings, checkConfig, groups, runProgram, verbs } from '../../cli/index.ts';
import { type CommandOptions, commandEnvironment, type Finished } from './command.ts';

// The command in this process: a test of many commands need not start as many processes.

/** A command's output; `wrote` is called with each piece. */
function written(wrote: (text: string) => void) {
  return {
    write: (text: string, done?: (error?: Error | null) => void) => {
      wrote(text);
      done?.();
      return true;
    },
    on: () => undefined,
  };
}

interface Here {
  readonly ended: Promise<Finished>;
  /** Interrupt it as Ctrl-C does. */
  interrupt(): void;
}

/** Where a command runs: its current folder, and more variables. */
type Place = Omit<CommandOptions, 'input'>;

function start(
  args: readonly string[],
  { cwd = process.cwd(), env }: Place,
  said: (text: string) => void = () => undefined,
): Here {
  let [stdout, stderr] = ['', ''];
  const interrupts = new EventEmitter();
  const program = {
    ...{ name: 'garner', version: '0', describe: '', verbs, groups, check: checkConfig },
    settings: async () => allSettings,
  };
  const running = runProgram(program, args, {
    stdout: written((text) => {
      stdout += text;
      said(stdout);
    }),
    stderr: written((text) => {
      stderr += text;
    }),
    env: commandEnvironment(env),
    cwd,
    interrupts: {
      on: (signal, listener) => interrupts.on(signal, listener),
      removeListener: (signal, listener) => interrupts.removeListener(signal, listener),
      exit: () => undefined,
    },
  });
  return {
    ended: running.then((code) => ({ code, stdout, stderr })),
    interrupt: () => interrupts.emit('SIGINT', 'SIGINT'),
  };
}

/** Run a command to its end, whatever its exit code. */
export const runHere = (args: readonly string[], place: Place = {}): Promise<Finished> =>
  start(args, place).ended;

/** Run a command with `--json`, which must succeed, and return its value. */
export async function jsonHere<Value>(args: readonly string[], place: Place = {}): Promise<Value> {
  const { code, stdout, stderr } = await runHere([...args, '--json'], place);
  if (code !== 0) throw new Error(`garner ${args.join(' ')} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as Value;
}

/** Start a server and wait for the line that says it is ready; disposing stops it. */
export async function serveHere<Ready>(
  args: readonly string[],
  place: Place = {},
): Promise<AsyncDisposable & { readonly ready: Ready }> {
  let isReady = (_line: string): void => undefined;
  const first = new Promise<string>((resolve) => {
    isReady = resolve;
  });
  const { ended, interrupt } = start([...args, '--json', '--quiet'], place, (stdout) => {
    const end = stdout.indexOf('\n');
    if (end >= 0) isReady(stdout.slice(0, end));
  });
  const line = await Promise.race([first, ended]);
  if (typeof line !== 'string')
    throw new Error(`garner ${args.join(' ')} ended with ${line.code}: ${line.stderr}`);
  return {
    ready: JSON.parse(line) as Ready,
    [Symbol.asyncDispose]: async () => {
      interrupt();
      await ended;
    },
  };
}
