import type { Setting } from '../kernel/index.ts';

/** Settings of a server that registers. */
export const registrationSettings: readonly Setting[] = [
  {
    key: 'server.registry',
    kind: 'list',
    default: [],
    entry: 'the http(s) address of a Registry',
    example: '[https://registry.example.org]',
    describe: 'Registries where this server registers; none when empty',
  },
  {
    key: 'server.public-url',
    kind: 'text',
    default: '',
    describe: 'Address under which others reach this server; the one it listens on when empty',
  },
  {
    key: 'server.administrator',
    kind: 'text',
    default: '',
    describe: 'Name and address of the person or office responsible for this server',
  },
  {
    key: 'server.location',
    kind: 'text',
    default: '',
    describe: 'Where this server is: an institution, a city, a country',
  },
  {
    key: 'server.description',
    kind: 'text',
    default: '',
    describe: 'One or two sentences on what this server has',
  },
  {
    key: 'server.renewal',
    kind: 'duration',
    default: 60,
    describe:
      'Time between two renewals of the lease at each Registry, in whole seconds; a description that changed is sent with it',
  },
  {
    key: 'server.lease',
    kind: 'duration',
    default: 300,
    describe:
      'Time after which a Registry removes this server when no renewal arrives; longer than server.renewal, max 30 days',
  },
];

/** Settings of a Registry. */
export const registrySettings: readonly Setting[] = [
  {
    key: 'registry.max-servers',
    kind: 'count',
    default: 20_000,
    min: 1,
    max: 1_000_000,
    describe: 'Max servers that a Registry lists',
  },
  {
    key: 'registry.client-rate',
    kind: 'count',
    default: 5,
    min: 1,
    max: 100_000,
    describe:
      'Max registrations and renewals a second from one client address (for IPv6, one /64 network), and as many applications; a proxy in front of the Registry counts as one client',
  },
  {
    key: 'registry.allow-hosts',
    kind: 'list',
    default: [],
    entry: 'host:port, a host for its ports 80 and 443, or a URL without a path for its host and port',
    example: '[search.intranet.example, "127.0.0.1:8501"]',
    describe: 'Private hosts that a Registry may query when servers at them have registered',
  },
  {
    key: 'registry.client-applications',
    kind: 'count',
    default: 3,
    min: 1,
    max: 200,
    describe:
      'Max applications for foreign servers that a Registry holds of one client network; behind a proxy all visitors are one',
  },
  {
    key: 'registry.token',
    kind: 'text',
    default: '',
    secret: true,
    describe: 'Administration token that commands send to the Registry of --registry',
  },
  {
    key: 'registry.deadline',
    kind: 'duration',
    default: 2,
    describe: 'Max time that a federated search waits for a Broker',
  },
];
