import { type SourceStatus, sourceFrom } from '../../broker/index.ts';
import type { PushLinkStatus } from '../../gatherer/index.ts';
import { callControl } from '../../http/index.ts';
import type { Holder } from '../../store/index.ts';
import type { Finding } from './doctor-check.ts';

/** A server of this data folder that runs, and can be asked through its control door. */
type Running = Pick<Holder, 'address' | 'token'> | undefined;

/** What a running server says of itself; undefined when none runs or it does not answer. */
async function statusOf(running: Running): Promise<unknown> {
  if (running?.address === undefined || running.token === undefined) return undefined;
  const { address, token } = running;
  return callControl({ address, token }, '/status').catch(() => undefined);
}

function listOf<Entry>(status: unknown, name: 'pushes' | 'sources'): readonly Entry[] {
  const list = (status as Readonly<Record<string, unknown>> | undefined)?.[name];
  return Array.isArray(list) ? (list as Entry[]) : [];
}

/** How it stands with each Broker of gatherer.push-to: as the Gatherer that runs says, or `dial` finds. */
export async function pushFindings(
  brokers: readonly string[],
  running: Running,
  dial: (url: string) => Promise<Finding>,
): Promise<readonly Finding[]> {
  const links = listOf<PushLinkStatus>(await statusOf(running), 'pushes');
  const told = links.map(({ url, state, lsn, error, hint }): Finding => {
    const pushed = lsn === null ? 'nothing pushed yet' : `pushed to LSN ${lsn}`;
    if (error === null) return { ok: true, what: `push to ${url}: ${state}, ${pushed}` };
    const cure = hint === null ? {} : { cure: hint };
    return { ok: false, what: `push to ${url}: ${state}, ${pushed}; ${error}`, ...cure };
  });
  const others = brokers.filter((broker) => !links.some(({ url }) => url === broker));
  return [...told, ...(await Promise.all(others.map(dial)))];
}

/** How it stands with each source that pushes; nobody can ask it. */
export async function pushedFindings(
  texts: readonly string[],
  running: Running,
): Promise<readonly Finding[]> {
  const waited = texts.map(sourceFrom).filter(({ pusher }) => pusher !== undefined);
  if (waited.length === 0) return [];
  const sources = listOf<SourceStatus>(await statusOf(running), 'sources');
  return waited.map(({ url }): Finding => {
    const known = sources.find((source) => source.url === url);
    if (known === undefined)
      return { ok: true, what: `source ${url} is waited for by the Broker when it runs` };
    const { name, state, error } = known;
    const stands = state === 'waiting' ? 'waits to be pushed to' : state;
    if (error === null) return { ok: true, what: `source ${url} (${name}): ${stands}` };
    return {
      ok: false,
      what: `source ${url} (${name}): ${stands}; ${error}`,
      cure: 'look at the log and the status of that server: it tries again by itself',
    };
  });
}
