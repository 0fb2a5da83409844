import { dirname, relative } from 'node:path';
import { isatty } from 'node:tty';
import { fileURLToPath } from 'node:url';
import { runProgram } from './command/program.ts';
import { spelling } from './command/spelling.ts';
import { groupsWithin, verbsOfGroup } from './command/verb.ts';
import { packageFolder, version } from './config/version.ts';
import { groups, verbsFor } from './verbs/groups.ts';

/** `npm start` runs in the package's folder and gives the person's own in INIT_CWD. */
function whereThePersonStood(): string {
  const cwd = process.cwd();
  return relative(packageFolder(), cwd) === '' ? (process.env.INIT_CWD ?? cwd) : cwd;
}

/** End this process at once: an orderly exit would wait for a system call that may never return. */
function endAtOnce(code: number): void {
  process.removeAllListeners('SIGINT');
  process.kill(process.pid, 'SIGINT');
  process.exit(code);
}

/** Ask the person for one line. Rejects when the signal aborts; empty when the input has ended. */
async function askAtTerminal(question: string, signal: AbortSignal): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  // Without readline's own terminal mode Ctrl-C is still a signal.
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  try {
    const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    return await Promise.race([lines.question(question, { signal }), ended]);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    lines.close();
    // An open input would keep the process alive.
    process.stdin.unref();
  }
}

/** Run one of Garner's commands on this process: all verbs, or those of one group as a program of their own. */
export async function main(name: 'garner' | 'gatherer' | 'broker'): Promise<void> {
  const cwd = whereThePersonStood();
  const programs = dirname(fileURLToPath(import.meta.url));
  const argv = process.argv.slice(2);
  const verbs = await verbsFor(name === 'garner' ? argv[argv[0] === 'help' ? 1 : 0] : name);
  const own = name === 'garner' ? verbs : verbsOfGroup(verbs, name);
  process.exitCode = await runProgram(
    {
      name,
      version: version(),
      describe: 'Garner: federated search over many sites, each summarised where it is',
      verbs: own,
      groups: name === 'garner' ? groups : groupsWithin(groups, name),
      settings: async () => (await import('./config/all-settings.ts')).allSettings,
      check: async (config, mistakes) =>
        (await import('./doctor/config-check.ts')).checkConfig(config, mistakes),
      checkMachine: async (config, mistakes, env) =>
        (await import('./doctor/config-check.ts')).checkMachine(config, mistakes, env),
      spell: spelling({ env: process.env, cwd, packageFolder: packageFolder(), programs }),
    },
    argv,
    {
      stdout: process.stdout,
      stderr: process.stderr,
      env: process.env,
      cwd,
      ...(isatty(0) && { ask: askAtTerminal }),
      interrupts: {
        on: (signal, listener) => process.on(signal, listener),
        removeListener: (signal, listener) => process.removeListener(signal, listener),
        exit: endAtOnce,
        hasTerminal: [0, 1, 2].some((descriptor) => isatty(descriptor)),
      },
    },
  );
}
