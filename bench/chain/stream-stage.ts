import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProbe, Server } from '../harness/child.ts';
import { interleaved } from '../harness/harness.ts';
import { median } from '../harness/statistics.ts';
import type { ParserMeasured } from '../probes/parser.ts';
import type { WireMeasured } from '../probes/wire-receiver.ts';
import type { WireSenderSays } from '../probes/wire-sender.ts';
import type { GathererSays, Job } from './job.ts';
import type { MainFigure } from './main-figures.ts';

const inflaters: readonly (readonly [name: string, rate: MainFigure, receiver: MainFigure])[] = [
  ['zlib-sync', 'wireSyncRate', 'wireSyncReceiver'],
  ['node:zlib', 'wireNodeRate', 'wireNodeReceiver'],
];

/** The classic stream and the wire with the objects of the site. */
export async function streamStage(job: Job, gatherer: Server<GathererSays>, data: string): Promise<void> {
  const { folder, site, results, quick } = job;
  const file = join(folder, 'stream.soif');
  const response = await fetch(gatherer.said.soif, { headers: { 'accept-encoding': 'identity' } });
  if (!response.ok) throw new Error(`${gatherer.said.soif} was answered with ${response.status}`);
  const stream = new Uint8Array(await response.arrayBuffer());
  await writeFile(file, stream);
  results.add('streamBytes', stream.length / 1e6);
  const ready = (await readdir(join(data, 'gatherer'))).find((name) => /^soif-.*\.gz$/.test(name));
  if (ready === undefined) throw new Error('no compressed stream is ready');
  results.add('streamGzip', (await stat(join(data, 'gatherer', ready))).size / 1e6);

  await using sender = await Server.startProbe<WireSenderSays>('wire-sender', [file], folder);
  const parse = async () => {
    const args = [file, String(site.pages.length), quick ? '3' : '10'];
    const { rates } = await runProbe<ParserMeasured>('parser', args, folder);
    results.add('parserFirst', rates[0] as number);
    results.add('parserRate', median(rates.slice(1)));
  };
  const receive = async ([name, rate, receiver]: (typeof inflaters)[number]) => {
    const before = sender.cpuSeconds;
    const measured = await runProbe<WireMeasured | null>('wire-receiver', [sender.said.url, name], folder);
    if (measured === null) return results.skip([rate, receiver], `SKIPPED, ${name} is not installed`);
    const megabytes = measured.decodedBytes / 1e6;
    results.add(rate, megabytes / measured.seconds);
    results.add(receiver, megabytes / measured.cpuSeconds);
    // Everything was sent twice: once to warm up.
    results.add('wireSender', (2 * megabytes) / (sender.cpuSeconds - before));
  };
  await interleaved(
    [
      { name: 'SOIF parser', run: parse },
      ...inflaters.map((one) => ({ name: `wire, ${one[0]}`, run: () => receive(one) })),
    ],
    job,
  );
}
