import type { Broker } from '../../broker/index.ts';
import { type Directory, serverAttributes as names, printCounts } from '../../registry/index.ts';
import { freeFigures, onSourceState } from '../broker/serving/registered-broker.ts';
import type { Registered } from '../server/registering.ts';

/** What a Registry says of itself where it registers. */
export function registeredRegistry(broker: Broker, directory: Directory): Registered {
  return {
    type: 'REGISTRY',
    objects: () => directory.count,
    attributes: async () => {
      const counts = new Map<string, number>();
      for (const { type } of directory.list()) counts.set(type, (counts.get(type) ?? 0) + 1);
      const types = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
      return [[names.types, printCounts(types.map(([value, count]) => ({ value, count })))]];
    },
    links: () => freeFigures(broker),
    onChange: onSourceState,
  };
}
