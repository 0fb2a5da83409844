import type { Administration, Broker } from '../../broker/index.ts';
import type { HttpClient } from '../../fetch/index.ts';
import type { Route } from '../../http/index.ts';
import { systemClock, systemRandom } from '../../kernel/index.ts';
import {
  ApplicationBook,
  ApplicationDesk,
  applicationControlRoutes,
  type Directory,
  ForeignServers,
  type Registrar,
} from '../../registry/index.ts';
import type { EffectiveConfig } from '../config/config.ts';

/** The applications of a Registry; disposing ends the renewal of what was approved. */
export interface OpenedApplications extends AsyncDisposable {
  readonly desk: ApplicationDesk;
  readonly controlRoutes: (administration: Administration) => readonly Route[];
}

/** Open the book of applications, and renew the leases of approved servers from now on. */
export async function openApplications(parts: {
  readonly broker: Broker;
  readonly directory: Directory;
  readonly registrar: Registrar;
  readonly client: HttpClient;
  readonly config: EffectiveConfig;
}): Promise<OpenedApplications> {
  const { broker, directory, registrar, client, config } = parts;
  const { store, identity } = broker.folder;
  const book = await ApplicationBook.open({
    ...{ database: await broker.folder.database('applications'), clock: systemClock, random: systemRandom },
    maxOfClient: config.count('registry.client-applications'),
  });
  const publishing = { directory, desk: registrar, identity, clock: systemClock };
  const desk = new ApplicationDesk({ book, ...publishing });
  const foreign = new ForeignServers({ store, ...publishing, fetch: client.fetch });
  return {
    desk,
    controlRoutes: (administration) =>
      applicationControlRoutes(desk, (request, about, work, said) =>
        administration.act(request, about, work, said),
      ),
    [Symbol.asyncDispose]: () => foreign[Symbol.asyncDispose](),
  };
}
