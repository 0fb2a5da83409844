import type { Setting } from '../../kernel/index.ts';

/** Settings of the port with the line protocol of Harvest's Broker. */
export const classicSettings: readonly Setting[] = [
  {
    key: 'broker.classic-port',
    kind: 'count',
    default: 0,
    min: 0,
    max: 65_535,
    describe: 'Port for the line protocol of Harvest’s Broker, for clients of that time; 0 for none',
  },
  {
    key: 'broker.classic-host',
    kind: 'text',
    default: '127.0.0.1',
    describe: 'Address on which the classic port listens; 0.0.0.0 for every address of this machine',
  },
  {
    key: 'broker.classic-allow',
    kind: 'list',
    default: ['loopback'],
    entry: 'all, loopback, an address, a network, a host or a domain',
    example: '[loopback, 10.0.0.0/8, search.example.org]',
    describe:
      'Clients that may use the classic port: all, loopback, addresses, networks such as 10.0.0.0/8, hosts, domains',
  },
  {
    key: 'broker.classic-deny',
    kind: 'list',
    default: [],
    entry: 'all, loopback, an address, a network, a host or a domain',
    example: '[10.1.2.3]',
    describe: 'Clients that may not use the classic port although allowed; written like classic-allow',
  },
  {
    key: 'broker.classic-connections',
    kind: 'count',
    default: 16,
    min: 1,
    max: 4096,
    describe: 'Max connections to the classic port at the same time',
  },
  {
    key: 'broker.classic-idle',
    kind: 'duration',
    default: 120,
    describe: 'How long a connection to the classic port may be idle',
  },
];
