import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { GathererSays } from '../chain/job.ts';
import type { Server } from '../harness/child.ts';
import { CopyOfSource } from '../material/copy-of-source.ts';
import type { Site } from '../material/corpus.ts';
import type { Stream } from './figures.ts';

/** Seconds of a whole stream. */
export interface StreamCost {
  readonly cpu: number;
  readonly elapsed: number;
}

interface StreamRequest {
  readonly gatherer: Server<GathererSays>;
  readonly site: Site;
  /** Temporary folder. */
  readonly folder: string;
  /** Number of repetitions: one stream is too short for the CPU clock. */
  readonly times: number;
}

/** The cost to a Gatherer of sending everything it holds, `times` times in a row. */
export function streamCost(way: Stream, request: StreamRequest): Promise<StreamCost> {
  if (way === 'wire') return byWire(request);
  return way === 'round' ? byRounds(request) : byClassicStream(request, way === 'gzip');
}

async function byWire({ gatherer, site, folder, times }: StreamRequest): Promise<StreamCost> {
  let [cpu, elapsed] = [0, 0];
  for (let at = 0; at < times; at++) {
    const [before, started] = [gatherer.cpuSeconds, performance.now()];
    await using copy = await CopyOfSource.open(join(folder, 'copy'), gatherer.said.collect);
    const { learned } = await copy.collect();
    elapsed += (performance.now() - started) / 1000;
    cpu += gatherer.cpuSeconds - before;
    if (learned !== site.pages.length) throw new Error(`collected ${learned} of ${site.pages.length}`);
  }
  return { cpu: cpu / times, elapsed: elapsed / times };
}

/** Rounds on an open session in which nothing has changed. */
async function byRounds({ gatherer, folder, times }: StreamRequest): Promise<StreamCost> {
  await using copy = await CopyOfSource.open(join(folder, 'copy'), gatherer.said.collect);
  await copy.collect();
  const rounds = times * 50;
  const [before, started] = [gatherer.cpuSeconds, performance.now()];
  for (let at = 0; at < rounds; at++) {
    const { schemes } = await copy.collect();
    if (schemes.length > 0) throw new Error(`an unchanged round ran ${schemes.join(', ')}`);
  }
  const elapsed = (performance.now() - started) / 1000;
  return { cpu: (gatherer.cpuSeconds - before) / rounds, elapsed: elapsed / rounds };
}

async function byClassicStream({ gatherer, times }: StreamRequest, packed: boolean): Promise<StreamCost> {
  const headers = { 'accept-encoding': packed ? 'gzip' : 'identity' };
  const [before, started] = [gatherer.cpuSeconds, performance.now()];
  for (let at = 0; at < times; at++) {
    const [response] = (await once(get(gatherer.said.soif, { headers }), 'response')) as [IncomingMessage];
    const encoding = response.headers['content-encoding'];
    if (response.statusCode !== 200 || (encoding === 'gzip') !== packed)
      throw new Error(`${gatherer.said.soif} was answered with ${response.statusCode}, ${encoding}`);
    let bytes = 0;
    for await (const chunk of response) bytes += (chunk as Buffer).length;
    if (bytes === 0) throw new Error('an empty stream');
  }
  const elapsed = (performance.now() - started) / 1000;
  return { cpu: (gatherer.cpuSeconds - before) / times, elapsed: elapsed / times };
}
