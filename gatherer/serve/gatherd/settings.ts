import type { Setting } from '../../../kernel/index.ts';

/** Settings of the gatherd port. */
export const gatherdSettings: readonly Setting[] = [
  {
    key: 'gatherer.gatherd-port',
    kind: 'count',
    default: 0,
    min: 0,
    max: 65_535,
    describe: 'Port that speaks the line protocol of Harvest’s gatherd, for Brokers of that time; 0 for none',
  },
  {
    key: 'gatherer.gatherd-host',
    kind: 'text',
    default: '127.0.0.1',
    describe: 'Address the gatherd port listens on; 0.0.0.0 for every address of this machine',
  },
  {
    key: 'gatherer.gatherd-allow',
    kind: 'list',
    default: ['loopback'],
    entry: 'all, loopback, an address, a network, a host or a domain',
    example: '[loopback, 10.0.0.0/8, broker.example.org]',
    describe: 'Allowed clients: all, loopback, addresses, networks such as 10.0.0.0/8, hosts, domains',
  },
  {
    key: 'gatherer.gatherd-deny',
    kind: 'list',
    default: [],
    entry: 'all, loopback, an address, a network, a host or a domain',
    example: '[10.1.2.3]',
    describe: 'Denied clients, even if allowed; written like gatherd-allow',
  },
  {
    key: 'gatherer.gatherd-connections',
    kind: 'count',
    default: 16,
    min: 1,
    max: 4096,
    describe: 'Max concurrent connections to the gatherd port',
  },
  {
    key: 'gatherer.gatherd-idle',
    kind: 'duration',
    default: 120,
    describe: 'Max time without data on a connection to the gatherd port',
  },
];
