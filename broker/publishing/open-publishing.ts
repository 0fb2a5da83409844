import type { Route } from '../../http/index.ts';
import { ClientGate, publicationRoute } from '../../publication/index.ts';
import type { Broker } from '../service/index.ts';
import { PublicationLedger } from './publication-ledger.ts';
import { PublishersDesk, type PublishersDeskOptions } from './publishers-desk.ts';

interface PublishingOptions
  extends Pick<PublishersDeskOptions, 'publishers' | 'maxDocuments' | 'writer' | 'refused'> {
  /** Max requests a second of each client network. */
  readonly perSecond: number;
}

/** `POST /publish` of a Broker. */
export async function openPublishing(
  { folder, clock, keyring, orders }: Broker,
  { perSecond, ...options }: PublishingOptions,
): Promise<Route> {
  const { store, identity } = folder;
  const database = await folder.database('publications');
  const ledger = await PublicationLedger.open({ database, store, clock });
  const { blocks } = orders;
  const gate = new ClientGate({ clock, perSecond });
  const route = publicationRoute(
    new PublishersDesk({ ...options, store, identity, ledger, blocks, clock, keyring }),
  );
  return {
    ...route,
    handle: (request) => gate.run(request.client ?? '', async () => route.handle(request)),
  };
}
