import { once } from 'node:events';
import type { Run } from '../command/verb.ts';
import { defaultPorts } from '../config/ports.ts';
import { startFederation } from './federation.ts';

/** Run the demo until it is interrupted. */
export async function runDemo({ args, output, signal }: Run): Promise<number> {
  output.status('starting nine servers');
  await using federation = await startFederation({
    port: args.count('port') ?? defaultPorts.registry,
    signal,
    ended: (name, code) => {
      if (!signal.aborted) output.note(`${name} has ended${code ? ` with exit code ${code}` : ''}`);
    },
  });
  output.status('');
  const { registry, servers } = federation;
  const report = { registry, topology: `${registry}topology`, servers };
  await output.result(report, () =>
    [
      ...servers.map(({ role, name, url, status, pid }) =>
        [
          `  ${role.padEnd(9)} ${name.padEnd(24)} ${url.padEnd(26)} process ${pid}`,
          ...(status === undefined ? [] : [`its status ${status}`]),
        ].join(', '),
      ),
      '',
      `  open ${registry} and search for "tide" or "mooring"; ${report.topology} shows who collects from whom`,
      '  end one of the processes to see how it is reported. Ctrl-C stops all and removes their data.',
    ].join('\n'),
  );
  if (!signal.aborted) await once(signal, 'abort');
  return 0;
}
