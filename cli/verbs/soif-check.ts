import type { Verb } from '../command/verb.ts';

const shown = 100;

/** `garner soif check`: is a file valid SOIF? */
export const soifCheck: Verb = {
  command: 'soif check <file>',
  describe: 'Check a SOIF file or stream, and report each fault with its byte and line',
  examples: [
    ['soif check summaries.soif', 'exit code 1 if there are faults'],
    ['soif check -', 'read standard input'],
  ],
  positionals: { file: 'File to read, or - for standard input; .gz is unpacked' },
  handler: async (run) => {
    const { readInput } = await import('../config/input-file.ts');
    const { checkSoif } = await import('../../soif/index.ts');
    const { terminalSafe } = await import('../text/output.ts');
    const { count, size } = await import('../text/number-formats.ts');
    const { args, output, cwd } = run;
    const file = args.required('file');
    let found = 0;
    for await (const item of checkSoif(readInput(file, cwd))) {
      if (item.kind !== 'summary') {
        found++;
        if (output.json) await output.result(item, () => '');
        else if (found <= shown)
          await output.data(
            `${terminalSafe(file)}:${item.line} (byte ${item.byte}): ${item.kind}: ${terminalSafe(item.message)} [${item.code}]`,
          );
        continue;
      }
      const more = found > shown ? `, ${found - shown} more not shown` : '';
      await output.result(
        item,
        ({ objects, bytes, faults, warnings }) =>
          `${count(objects, 'object')} in ${size(bytes)}: ${count(faults, 'fault')}, ${count(warnings, 'warning')}${more}`,
      );
      return item.faults > 0 ? 1 : 0;
    }
    return 0;
  },
};
