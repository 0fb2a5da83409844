// Several Registries that collect from each other. Each of them takes registrations and has all servers, because the
// signed descriptions travel between them as the objects of Brokers do.
//
// - `replicas.ts` knows which of them are live, and how near they are: it probes each every few seconds. A Registry that
//   only registered here is a stranger. It is listed and probed, but nobody is led to it.
// - `replica-routes.ts` lists them, and redirects to the nearest one or to any.
// - `waiting-descriptions.ts` has what this one does not take yet, and asks for it again when there is room.
// - `ask-nearest.ts` is the side of the client: it asks the address that answers first, and then the others.
//
// What makes the copies equal is elsewhere:
//
// - the newest signed statement holds, whichever way it comes (store/partitions, publication/publication-desk.ts);
// - a withdrawal travels with its signature (exchange/verify.ts);
// - a lease ends at its signed Update-Time plus its Time-to-Live, at the same time in every copy;
// - the first key of a server that a Registry has seen holds there (registrar-keys.ts). A description with another key
//   is passed over, and the collecting of the others goes on;
// - what a Registry would not list, it does not take from another one either (`guard` of registrar.ts).

export { askNearest, type NearestOptions } from './ask-nearest.ts';
export { replicaRoutes } from './replica-routes.ts';
export {
  type KnownReplica,
  type Replica,
  Replicas,
  type ReplicasOptions,
} from './replicas.ts';
export { WaitingDescriptions } from './waiting-descriptions.ts';
