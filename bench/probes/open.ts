import { openBrokerOf } from '../material/opened-broker.ts';

/** The time from a closed data folder to a first answer. */
export interface OpenMeasured {
  readonly ms: number;
  /** Of all threads. */
  readonly cpuMs: number;
}

/** Open a Broker's data folder and run one query; all modules are loaded before the measurement. */
export async function probeOpen([data = '', q = '']: readonly string[]): Promise<OpenMeasured> {
  const before = process.cpuUsage();
  const started = performance.now();
  await using opened = await openBrokerOf(data);
  const { total } = await opened.broker.queries.search({ q, limit: 10, offset: 0, sources: [], types: [] });
  const ms = performance.now() - started;
  const { user, system } = process.cpuUsage(before);
  if (total === 0) throw new Error(`nothing was found for ${q}`);
  return { ms, cpuMs: (user + system) / 1000 };
}
