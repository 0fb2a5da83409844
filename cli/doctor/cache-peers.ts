import { askOnce, type PeerConfig, type Upstream } from '../../cache/index.ts';
import { systemClock, systemRandom } from '../../kernel/index.ts';
import { count } from '../text/number-formats.ts';
import type { Finding } from './doctor-check.ts';

/** Longest time for one answer. */
export const patienceMs = 3000;

/** A URL that nobody has: a cache that is asked for it, and only for what it has, answers 504 at once. */
const nowhere = 'http://only-if-cached.invalid/';

const placeOf = ({ host, port }: PeerConfig) => `${host.includes(':') ? `[${host}]` : host}:${port}`;

/** One answer over HTTP, its status and how long it took; the rest of it is not read. */
export async function answerOf(
  upstream: Upstream,
  request: Pick<Parameters<Upstream['send']>[0], 'method' | 'url' | 'fields' | 'route'>,
): Promise<{ readonly status: number; readonly ms: number }> {
  const begun = performance.now();
  const response = await upstream.send({ ...request, signal: AbortSignal.timeout(patienceMs) });
  response.content.on('error', () => undefined).destroy();
  return { status: response.status, ms: Math.round(performance.now() - begun) };
}

/** Why something did not answer, without an error's own time-out. */
export const reasonOf = (error: unknown): string =>
  (error as Error).name === 'TimeoutError'
    ? `no answer within ${patienceMs / 1000} s`
    : (error as Error).message;

async function byHttp(peer: PeerConfig, upstream: Upstream): Promise<Finding> {
  const { role, host, port } = peer;
  const named = `${role} ${placeOf(peer)}`;
  try {
    const { status, ms } = await answerOf(upstream, {
      method: 'GET',
      url: nowhere,
      fields: ['Cache-Control', 'only-if-cached', 'User-Agent', 'garner-doctor'],
      route: { to: role, host, port, because: 'doctor' },
    });
    if (status === 403 || status === 407)
      return {
        ok: false,
        what: `${named} answers by HTTP, but denies us (${status})`,
        cure: 'have its operator allow this machine (http_access of Squid, cache.access or peers of ours)',
      };
    // What is not here is a 504; some have an opinion about the name, or take it for something they have.
    if (status === 504 || status === 502 || status === 503 || status < 400)
      return { ok: true, what: `${named} answers by HTTP in ${ms} ms` };
    return {
      ok: false,
      what: `${named} answers ${status} to a request for another server: it seems to be no proxy`,
      cure: 'name the port on which it takes requests as a proxy (--proxy of ours, http_port of Squid)',
    };
  } catch (error) {
    return {
      ok: false,
      what: `${named} does not answer by HTTP: ${reasonOf(error).replace(nowhere, 'it')}`,
      cure: 'check that it runs, that name and port are right, and that no firewall is between',
    };
  }
}

async function byQuestion(peer: PeerConfig, { host, htcpKeys }: AskedFrom): Promise<Finding | undefined> {
  const begun = performance.now();
  const named = `${peer.role} ${placeOf(peer)}`;
  const parts = { host, htcpKeys, timeoutMs: patienceMs, clock: systemClock, random: systemRandom };
  try {
    const asked = await askOnce(peer, { url: nowhere, ...parts });
    if (asked === undefined) return undefined;
    const { protocol, port, reply } = asked;
    const spoken = `${protocol.toUpperCase()} on UDP port ${port}`;
    const ms = Math.round(performance.now() - begun);
    if (reply === 'denied')
      return {
        ok: false,
        what: `${named} answers by ${spoken}, but denies us`,
        cure: `have its operator allow this machine (${protocol}_access of Squid, cache.peer-access of ours)`,
      };
    if (reply !== undefined) return { ok: true, what: `${named} answers by ${spoken} in ${ms} ms` };
    return {
      ok: false,
      what: `${named} does not answer by ${spoken} within ${patienceMs / 1000} s`,
      cure: `check the port and firewalls for UDP; Squid answers nobody at its own address, nor whom ${protocol}_access leaves out`,
    };
  } catch (error) {
    return {
      ok: false,
      what: `${named} cannot be asked by ICP or HTCP: ${(error as Error).message}`,
      cure: 'check its name, cache.udp-host, and the key that it names in cache.htcp-keys',
    };
  }
}

/** What questions are asked with: from where, and the secrets that they are signed with. */
interface AskedFrom {
  readonly host: string;
  readonly htcpKeys: ReadonlyMap<string, string>;
}

/** More peers than this are not asked. */
const maxPeers = 64;

/** Whether each parent and sibling answers: over HTTP, and by ICP or HTCP where that is set. All are asked at once. */
export async function peerFindings(
  peers: readonly PeerConfig[],
  upstream: Upstream,
  from: AskedFrom,
): Promise<readonly Finding[]> {
  const asked = peers.slice(0, maxPeers);
  const found = await Promise.all(
    asked.map(async (peer) => [await byHttp(peer, upstream), await byQuestion(peer, from)]),
  );
  const left = peers.length - asked.length;
  return [
    ...found.flat().filter((one) => one !== undefined),
    ...(left > 0
      ? [{ ok: true, what: `${count(left, 'further peer')} ${left === 1 ? 'was' : 'were'} not asked` }]
      : []),
  ];
}
