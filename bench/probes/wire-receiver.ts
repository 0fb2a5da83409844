import { systemClock, systemRandom } from '../../kernel/index.ts';
import { identityFrom, newIdentitySecret } from '../../soif/index.ts';
import { connect, nodeInflater, zlibSyncInflater } from '../../wire/index.ts';

/** The result of reading everything that the sender has, after a first reading as a warm-up. */
export interface WireMeasured {
  readonly decodedBytes: number;
  readonly seconds: number;
  /** Of the receiver. */
  readonly cpuSeconds: number;
}

/** Read one channel of the sender to its end with an inflater, `zlib-sync` (null where it is absent) or `node:zlib`. */
export async function probeWireReceiver([
  url = '',
  name = '',
]: readonly string[]): Promise<WireMeasured | null> {
  const inflater = name === 'zlib-sync' ? zlibSyncInflater : nodeInflater;
  if (inflater === undefined) return null;
  await using session = await connect({
    ...{ url, inflater, identity: identityFrom(newIdentitySecret()), name: 'receiver', role: 'broker' },
    ...{ clock: systemClock, random: systemRandom },
  });
  const readAll = async (): Promise<WireMeasured> => {
    const before = process.cpuUsage();
    const decoded = session.traffic.receivedDecodedBytes;
    const started = performance.now();
    const channel = await session.open({ type: 'read' }, { end: true });
    while ((await channel.receive()) !== undefined);
    const seconds = (performance.now() - started) / 1000;
    const { user, system } = process.cpuUsage(before);
    const decodedBytes = session.traffic.receivedDecodedBytes - decoded;
    return { decodedBytes, seconds, cpuSeconds: (user + system) / 1e6 };
  };
  await readAll();
  // The session closes when this function ends.
  return await readAll();
}
