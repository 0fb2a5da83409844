import { outOfFiles } from './config/out-of-files.ts';

/** Start one of Garner's commands. Loading the rest opens hundreds of files, which the system may refuse. */
export async function start(name: 'garner' | 'gatherer' | 'broker'): Promise<void> {
  try {
    const { main } = await import('./main.ts');
    await main(name);
  } catch (error) {
    const fault = outOfFiles(error);
    if (fault === undefined) throw error;
    const { code, message, hint, exit } = fault;
    const text = process.argv.includes('--json')
      ? JSON.stringify({ error: { code, message, hint, exit } })
      : `error: ${message} [${code}]\n  try   ${hint}`;
    process.stderr.write(`${text}\n`);
    process.exitCode = exit;
  }
}
