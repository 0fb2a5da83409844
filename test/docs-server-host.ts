import { EventEmitter } from 'node:events';
import {
  allSettings,
  checkConfig,
  groups,
  type Program,
  runProgram,
  verbs,
  type World,
} from '../cli/index.ts';

// A process that runs the servers of the pages, each as a command of its own: one start of Node.js instead of forty.

/** The program of this command. */
export const program: Program = {
  ...{ name: 'garner', version: '0', describe: '', verbs, groups, check: checkConfig },
  settings: async () => allSettings,
};

/** What the test sends. */
export type HostRequest =
  | {
      readonly kind: 'start';
      readonly id: number;
      readonly argv: readonly string[];
      readonly cwd: string;
      readonly env: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'interrupt'; readonly id: number };

/** What the host sends. */
export type HostReport =
  | { readonly kind: 'stdout'; readonly id: number; readonly text: string }
  | { readonly kind: 'stderr'; readonly id: number; readonly text: string }
  | { readonly kind: 'ended'; readonly id: number; readonly code: number };

/** A stream of the program that hands each text on. */
export function textStream(keep: (text: string) => void) {
  return Object.assign(new EventEmitter(), {
    columns: 110,
    write: (text: string, done?: (error?: Error | null) => void) => {
      keep(text);
      done?.();
      return true;
    },
  });
}

const interrupts = new Map<number, EventEmitter>();
const report = (message: HostReport) => process.send?.(message);

async function start({ id, argv, cwd, env }: HostRequest & { readonly kind: 'start' }): Promise<void> {
  const own = Object.assign(new EventEmitter(), { exit: () => {} });
  interrupts.set(id, own);
  const world: World = {
    stdout: textStream((text) => report({ kind: 'stdout', id, text })),
    stderr: textStream((text) => report({ kind: 'stderr', id, text })),
    env: { NO_COLOR: '1', ...env },
    cwd,
    interrupts: own,
  };
  const code = await runProgram(program, argv, world);
  interrupts.delete(id);
  report({ kind: 'ended', id, code });
}

process.on('message', (request: HostRequest) => {
  if (request.kind === 'start') void start(request);
  else interrupts.get(request.id)?.emit('SIGINT', 'SIGINT');
});
// Without the test nobody stops the servers.
process.on('disconnect', () => process.exit());
