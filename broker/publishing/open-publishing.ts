import type { Route } from '../../http/index.ts';
import { publicationRoute } from '../../publication/index.ts';
import type { Broker } from '../service/index.ts';
import { PublicationLedger } from './publication-ledger.ts';
import { PublishersDesk, type PublishersDeskOptions } from './publishers-desk.ts';

/** `POST /publish` of a Broker. */
export async function openPublishing(
  { folder, clock, keyring, orders }: Broker,
  options: Pick<PublishersDeskOptions, 'publishers' | 'maxDocuments' | 'writer' | 'refused'>,
): Promise<Route> {
  const { store, identity } = folder;
  const database = await folder.database('publications');
  const ledger = await PublicationLedger.open({ database, store, clock });
  const { blocks } = orders;
  return publicationRoute(
    new PublishersDesk({ ...options, store, identity, ledger, blocks, clock, keyring }),
  );
}
