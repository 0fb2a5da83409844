import type { Oid } from '../../soif/index.ts';
import type { Database } from '../../store/index.ts';
import { BlockList, SourceBook } from '../collecting/index.ts';
import type { BrokerOptions } from './broker-options.ts';
import { liveBase } from './initial-settings.ts';
import { LiveSettings } from './live-settings.ts';

/** What an operator ordered while the Broker served; it outlives a restart. */
export interface BrokerOrders {
  readonly sources: SourceBook;
  readonly settings: LiveSettings;
  readonly blocks: BlockList;
}

/** Read the orders from the database of the object table; `remove` ends what a crash left of deletions. */
export async function openOrders(
  options: BrokerOptions,
  database: Database,
  remove: (oids: readonly Oid[]) => Promise<void>,
): Promise<BrokerOrders> {
  return {
    sources: await SourceBook.open(database),
    settings: await LiveSettings.open(database, liveBase(options)),
    blocks: await BlockList.open(database, options.folder.store, remove),
  };
}
