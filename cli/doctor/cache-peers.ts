import { askOnce, type PeerConfig, type Upstream } from '../../cache/index.ts';
import { systemClock, systemRandom } from '../../kernel/index.ts';
import { peerPlace } from '../cache/peers.ts';
import { count } from '../text/number-formats.ts';
import { type Finding, faulty, well } from './doctor-check.ts';

export const patienceMs = 3000;

/** A URL that no cache has: a request for it with only-if-cached is answered with 504 at once. */
const nowhere = 'http://only-if-cached.invalid/';

/** One answer over HTTP: its status and how long it took. The content is not read. */
export async function answerOf(
  upstream: Upstream,
  request: Pick<Parameters<Upstream['send']>[0], 'method' | 'url' | 'fields' | 'route'>,
): Promise<{ readonly status: number; readonly ms: number }> {
  const begun = performance.now();
  const response = await upstream.send({ ...request, signal: AbortSignal.timeout(patienceMs) });
  response.content.on('error', () => undefined).destroy();
  return { status: response.status, ms: Math.round(performance.now() - begun) };
}

/** Why there was no answer, with the time limit in plain English. */
export const reasonOf = (error: unknown): string =>
  (error as Error).name === 'TimeoutError'
    ? `no answer within ${patienceMs / 1000} s`
    : (error as Error).message;

async function byHttp(peer: PeerConfig, upstream: Upstream): Promise<Finding> {
  const { role, host, port } = peer;
  const named = `${role} ${peerPlace(peer)}`;
  try {
    const { status, ms } = await answerOf(upstream, {
      method: 'GET',
      url: nowhere,
      fields: ['Cache-Control', 'only-if-cached', 'User-Agent', 'garner-doctor'],
      route: { to: role, host, port, because: 'doctor' },
    });
    if (status === 403 || status === 407)
      return faulty(
        `${named} answers over HTTP, but denies this machine (${status})`,
        'ask its operator to allow this machine (http_access of Squid, cache.access of Garner)',
      );
    // 504 says that the URL is not in the cache; some caches look the name up, or have an answer for it.
    if (status === 504 || status === 502 || status === 503 || status < 400)
      return well(`${named} answers over HTTP in ${ms} ms`);
    return faulty(
      `${named} answers ${status} to a request for another server: it does not seem to be a proxy`,
      'give the port on which it takes requests as a proxy (cache serve --proxy of Garner, http_port of Squid)',
    );
  } catch (error) {
    return faulty(
      `${named} does not answer over HTTP: ${reasonOf(error).replace(nowhere, 'it')}`,
      'check that it runs, that name and port are right, and that no firewall blocks the way',
    );
  }
}

async function byQuestion(peer: PeerConfig, { host, htcpKeys }: AskedFrom): Promise<Finding | undefined> {
  const begun = performance.now();
  const named = `${peer.role} ${peerPlace(peer)}`;
  const parts = { host, htcpKeys, timeoutMs: patienceMs, clock: systemClock, random: systemRandom };
  try {
    const asked = await askOnce(peer, { url: nowhere, ...parts });
    if (asked === undefined) return undefined;
    const { protocol, port, reply } = asked;
    const spoken = `${protocol.toUpperCase()} on UDP port ${port}`;
    const ms = Math.round(performance.now() - begun);
    if (reply === 'denied')
      return faulty(
        `${named} answers over ${spoken}, but denies this machine`,
        `ask its operator to allow this machine (${protocol}_access of Squid, cache.peer-access of Garner)`,
      );
    if (reply !== undefined) return well(`${named} answers over ${spoken} in ${ms} ms`);
    return faulty(
      `${named} does not answer over ${spoken} within ${patienceMs / 1000} s`,
      `check the port and the firewalls for UDP; Squid ignores queries from its own address and from hosts that ${protocol}_access does not allow`,
    );
  } catch (error) {
    return faulty(
      `${named} cannot be queried by ICP or HTCP: ${(error as Error).message}`,
      'check its name, cache.udp-host, and the key that it names in cache.htcp-keys',
    );
  }
}

/** The address that queries are sent from, and the secrets that they are signed with. */
interface AskedFrom {
  readonly host: string;
  readonly htcpKeys: ReadonlyMap<string, string>;
}

/** Further peers are not checked. */
const maxPeers = 64;

/** Whether each parent and sibling answers: over HTTP, and by ICP or HTCP where that is set. All are checked at once. */
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
    ...(left > 0 ? [well(`${count(left, 'further peer')} ${left === 1 ? 'was' : 'were'} not checked`)] : []),
  ];
}
