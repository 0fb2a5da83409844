import { type SourceStatus, sourceFrom } from '../../broker/index.ts';
import type { PushLinkStatus } from '../../gatherer/index.ts';
import { callControl } from '../../http/index.ts';
import type { Holder } from '../../store/index.ts';
import { doorOf } from '../command/open-or-ask.ts';
import { type Finding, faulty, well } from './doctor-check.ts';

/** A running server of this data folder, which answers through its control door. */
type Running = Holder | undefined;

/** The status of a running server; undefined when none runs or it does not answer. */
async function statusOf(running: Running): Promise<unknown> {
  const door = doorOf(running);
  return door && callControl(door, '/status').catch(() => undefined);
}

function listOf<Entry>(status: unknown, name: 'pushes' | 'sources'): readonly Entry[] {
  const list = (status as Readonly<Record<string, unknown>> | undefined)?.[name];
  return Array.isArray(list) ? (list as Entry[]) : [];
}

/** The state of each Broker of gatherer.push-to, from the running Gatherer or from `dial`. */
export async function pushFindings(
  brokers: readonly string[],
  running: Running,
  dial: (url: string) => Promise<Finding>,
): Promise<readonly Finding[]> {
  const links = listOf<PushLinkStatus>(await statusOf(running), 'pushes');
  const reported = links.map(({ url, state, lsn, error, hint }): Finding => {
    const pushed = lsn === null ? 'nothing pushed yet' : `pushed to LSN ${lsn}`;
    if (error === null) return well(`push to ${url}: ${state}, ${pushed}`);
    const cure = hint === null ? {} : { cure: hint };
    return { ok: false, what: `push to ${url}: ${state}, ${pushed}; ${error}`, ...cure };
  });
  const others = brokers.filter((broker) => !links.some(({ url }) => url === broker));
  return [...reported, ...(await Promise.all(others.map(dial)))];
}

/** The state of each source that pushes, which only the running Broker knows. */
export async function pushedFindings(
  texts: readonly string[],
  running: Running,
): Promise<readonly Finding[]> {
  const waited = texts.map(sourceFrom).filter(({ pusher }) => pusher !== undefined);
  if (waited.length === 0) return [];
  const sources = listOf<SourceStatus>(await statusOf(running), 'sources');
  return waited.map(({ url }): Finding => {
    const known = sources.find((source) => source.url === url);
    if (known === undefined) return well(`source ${url} pushes: it connects when the Broker runs`);
    const { name, state, error } = known;
    const shown = state === 'waiting' ? 'waiting for its push' : state;
    if (error === null) return well(`source ${url} (${name}): ${shown}`);
    return faulty(
      `source ${url} (${name}): ${shown}; ${error}`,
      'look at the log and the status of that server; it retries by itself',
    );
  });
}
