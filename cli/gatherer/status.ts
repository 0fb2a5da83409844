import type { PushLinkStatus } from '../../gatherer/index.ts';
import { dataOption } from '../command/common-options.ts';
import type { Verb } from '../command/verb.ts';

/** The state of one Broker that is pushed to. */
function pushLines(
  { url, name, state, error, hint }: PushLinkStatus,
  pushed: string,
  safe: (text: string) => string,
): string[] {
  return [
    `  push to   ${safe(name === null ? url : `${url} (${name})`)}: ${state}, ${pushed}`,
    ...(error === null ? [] : [`            ${safe(error)}`]),
    ...(hint === null ? [] : [`            try: ${safe(hint)}`]),
  ];
}

/** `garner gatherer status`: its summaries, roots and clients. */
export const gathererStatusVerb: Verb = {
  command: 'gatherer status',
  describe: 'Show the summaries of a Gatherer, its clients, and the Brokers it pushes to',
  examples: [['gatherer status --data ./data', 'also while it serves']],
  options: { data: dataOption },
  handler: async (run) => {
    const { askGatherer } = await import('./ask.ts');
    const { gathererStatus, pushedWords } = await import('../../gatherer/index.ts');
    const { callControl } = await import('../../http/index.ts');
    const { terminalSafe } = await import('../text/output.ts');
    const { count, size } = await import('../text/number-formats.ts');
    const { runLine } = await import('../text/run-lines.ts');
    type Status = Awaited<ReturnType<typeof gathererStatus>>;
    const status = await askGatherer(
      run,
      (_, serving) => gathererStatus(serving),
      async (door) => (await callControl(door, '/status', { signal: run.signal })) as Status,
    );
    await run.output.result(status, (known) =>
      [
        `  name      ${terminalSafe(known.name)} (${known.serverId})`,
        ...known.roots.map((root) => `  root      ${terminalSafe(root)}`),
        `  has       ${count(known.objects, 'summary', 'summaries')}, ${size(known.summaryBytes)}, LSN ${known.lsn}`,
        ...(known.lastRun === null ? [] : [`  last run  ${runLine(known.lastRun)}`]),
        ...(known.waitingChanges === 0 ? [] : [`  waiting   ${count(known.waitingChanges, 'changed file')}`]),
        ...known.pushes.flatMap((push) => pushLines(push, pushedWords(push), terminalSafe)),
        `  push as   ${known.pushSource}`,
        ...known.clients.map(
          ({ name, lsn, at }) =>
            `  client    ${name}, collected up to LSN ${lsn} (${new Date(at * 1000).toISOString()})`,
        ),
      ].join('\n'),
    );
  },
};
