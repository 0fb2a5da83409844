import { type JsonSchema, schemas } from '../http/index.ts';
import { serverTypes } from './descriptions/index.ts';

const { choice, count, flag, list, number, object, orNull, text, time } = schemas;

const linkState = choice('live', 'late', 'broken');
const links = list(object({ state: linkState, url: text, serverId: text }, 'serverId'));
const counted = list(object({ value: text, count }, 'count'));

const said = {
  ...{ id: text, serverId: text, type: choice(...serverTypes), url: text, name: text, description: text },
  ...{ administrator: text, location: text, software: text, objects: count },
  ...{ refreshSeconds: number, ttlSeconds: number, unsigned: flag, updatedAt: time, unreached: flag },
  ...{ topic: text, types: counted, languages: counted, bytes: count, backlog: count, changedAt: time },
  ...{ state: choice('live', 'late'), proof: text, age: count },
};
const unsaid = ['objects', 'unsigned', 'unreached', 'bytes', 'backlog', 'changedAt', 'proof'];

const serverEntry: JsonSchema = object(
  { ...said, links: object({ live: count, late: count, broken: count }) },
  ...unsaid,
);

/** `/servers`. */
export const serversAnswer: JsonSchema = object({
  ...{ total: count, servers: list(serverEntry), next: orNull(text) },
});

/** `/gathered`. */
export const gatheredAnswer: JsonSchema = object({
  servers: list(object({ relation: text, place: text, share: number, server: serverEntry }, 'share')),
});

/** `/servers/:id`. */
export const serverAnswer: JsonSchema = object(
  {
    ...said,
    ...{ collectsFrom: links, roots: list(text), parents: links },
    attributes: list(object({ name: text, value: text })),
    alike: list(object({ share: number, server: serverEntry })),
  },
  ...unsaid,
);

const type = choice(...serverTypes, 'PROVIDER', 'UNLISTED');

/** `/topology`. */
export const topologyAnswer: JsonSchema = object({
  version: text,
  nodes: list(
    object(
      {
        ...{ id: text, type, name: text, url: text, state: orNull(linkState) },
        ...{ objects: orNull(count), age: orNull(count), unreached: flag },
      },
      'unreached',
    ),
  ),
  edges: list(
    object({
      ...{ from: text, to: text, kind: choice('gathers', 'collects', 'parent'), state: linkState },
      age: number,
    }),
  ),
  more: list(object({ type, nodes: count, broken: count })),
});
