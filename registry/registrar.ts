import type { Keyring } from '../exchange/index.ts';
import { type Clock, failure } from '../kernel/index.ts';
import { type Publication, PublicationDesk } from '../publication/index.ts';
import { oidOf } from '../soif/index.ts';
import type { ObjectStore } from '../store/index.ts';
import { readDescription } from './description.ts';
import type { Directory } from './directory.ts';
import { registryErrors } from './errors.ts';

export interface RegistrarOptions {
  readonly store: ObjectStore;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly directory: Pick<Directory, 'count' | 'has'>;
  readonly maxServers: number;
}

/** The desk of a Registry: takes descriptions of servers that sign them, and nothing else. */
export function registrarDesk({ directory, maxServers, ...rest }: RegistrarOptions): PublicationDesk {
  const admit = ({ publisher, url, object }: Publication): number => {
    const isNew = !directory.has(oidOf(publisher, url));
    if (isNew && directory.count >= maxServers)
      throw failure(registryErrors.REGISTRY_FULL, { max: maxServers });
    return object === undefined ? 0 : readDescription(object).ttlSeconds;
  };
  return new PublicationDesk({ ...rest, admit });
}
