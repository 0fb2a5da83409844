import type { Setting } from '../../kernel/index.ts';

/** Settings of documents that are published to a Broker over HTTP. */
export const publishingSettings: readonly Setting[] = [
  {
    key: 'broker.publishers',
    kind: 'list',
    default: [],
    entry:
      'a URL prefix and the name of a write token or the ID.KEY of a server that signs, or blocked and that name',
    example: '["https://harbour.example/ harbour-office", "blocked former-office"]',
    describe:
      'Publishers that may send documents to `POST /publish`, each below its URL prefixes; the Broker takes none when the list is empty',
  },
  {
    key: 'broker.max-publications',
    kind: 'count',
    default: 10_000,
    min: 1,
    max: 1_000_000,
    describe: 'Max documents of each publisher',
  },
  {
    key: 'broker.publication-rate',
    kind: 'count',
    default: 20,
    min: 1,
    max: 100_000,
    describe: 'Max requests for `POST /publish` a second of each client network',
  },
];
