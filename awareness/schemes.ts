import type { GroupRule } from './groups.ts';
import type { Scheme } from './scheme.ts';

const paperGroups: GroupRule = { fanout: 2, opening: 1, leaf: 1, speaks: 'store', ends: 'stay' };

/** Every scheme that a store and a client can agree on: the paper's (sections 5 and 6), then Garner's own. */
export const schemes: readonly Scheme[] = [
  {
    name: 'simple-snapshot',
    describe: 'every object, whole (section 5.1)',
    refines: 'nothing',
    selects: 'everything',
    compresses: 'object',
    forgets: 'absence',
  },
  {
    name: 'handle-snapshot',
    describe: 'every handle; for stores whose objects never change under their handle (5.1)',
    refines: 'nothing',
    selects: 'everything',
    compresses: 'handle',
    forgets: 'absence',
  },
  {
    name: 'timestamp',
    describe: 'whole objects with a later timestamp; for stores that never delete (5.2)',
    refines: 'nothing',
    selects: 'later-stamps',
    compresses: 'object',
    forgets: 'lazily',
  },
  {
    name: 'handle-timestamp',
    describe: 'handles with later timestamps; for stores that never delete (5.2)',
    refines: 'nothing',
    selects: 'later-stamps',
    compresses: 'handle-stamp',
    forgets: 'lazily',
  },
  {
    name: 'timestamp-tombstones',
    describe: 'whole objects with a later timestamp, and tombstones (5.2)',
    refines: 'nothing',
    selects: 'later-stamps',
    compresses: 'object',
    forgets: 'tombstone',
  },
  {
    name: 'handle-timestamp-tombstones',
    describe: 'handles with later timestamps, those of deleted objects too (5.2)',
    refines: 'nothing',
    selects: 'later-stamps',
    compresses: 'handle-stamp',
    forgets: 'tombstone',
  },
  {
    name: 'log-handles',
    describe: 'handles with later log sequence numbers: the log as timestamps (5.3)',
    refines: 'nothing',
    selects: 'later-numbers',
    compresses: 'handle-stamp',
    forgets: 'tombstone',
  },
  {
    name: 'log',
    describe: 'log records after the client’s, a change of attributes or the whole object (5.3)',
    refines: 'nothing',
    selects: 'later-numbers',
    compresses: 'record',
    forgets: 'tombstone',
  },
  {
    name: 'signature',
    describe: 'every handle with its signature (5.4)',
    refines: 'nothing',
    selects: 'everything',
    compresses: 'handle-signature',
    forgets: 'absence',
  },
  {
    name: 'hierarchical-signatures-binary',
    describe: 'groups by handle, split in two while their signatures differ (6.1)',
    refines: 'groups',
    order: 'handle',
    compresses: 'signatures',
    rule: paperGroups,
  },
  {
    name: 'hierarchical-signatures',
    describe:
      'groups by handle, split in sixteen; the client sends its groups too, and small groups are sent at once (6.3)',
    refines: 'groups',
    order: 'handle',
    compresses: 'signatures',
    rule: { fanout: 16, opening: 16, leaf: 16, speaks: 'both', ends: 'signed' },
  },
  {
    name: 'clustered-signatures',
    describe: 'groups by timestamp, split in sixteen, so that new objects are together (6.3)',
    refines: 'groups',
    order: 'stamp',
    compresses: 'signatures',
    rule: { fanout: 16, opening: 16, leaf: 16, speaks: 'both', ends: 'signed' },
  },
  {
    name: 'hierarchical-timestamps',
    describe: 'groups by their latest timestamp; for stores that never delete (6.2)',
    refines: 'groups',
    order: 'handle',
    compresses: 'latest-stamp',
    rule: paperGroups,
  },
  {
    name: 'tail',
    describe: 'the newest objects, when the client has all others',
    refines: 'nothing',
    selects: 'newest',
    compresses: 'record',
    forgets: 'lazily',
  },
  { name: 'sketch', describe: 'a rateless sketch of any difference', refines: 'sketch' },
  {
    name: 'short-ids',
    describe: 'six bytes for every object',
    refines: 'nothing',
    selects: 'everything',
    compresses: 'short-id',
    forgets: 'absence',
  },
];

/** The scheme of that name, or undefined. */
export function schemeNamed(name: string): Scheme | undefined {
  return schemes.find((scheme) => scheme.name === name);
}
