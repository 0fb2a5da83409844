import { defineErrors } from '../kernel/index.ts';

export const linesErrors = defineErrors({
  LINES_PORT: {
    message: ({ address, port, reason }: { address: string; port: number; reason: string }) =>
      `port ${port} of ${address} cannot be opened: ${reason}`,
    hint: () => 'choose a free port above 1023, and an address of this machine',
    exit: 1,
    retry: 'later',
  },
  LINES_ACCESS: {
    message: ({ entry }: { entry: string }) =>
      `${JSON.stringify(entry.slice(0, 80))} is not a valid entry of an access list`,
    hint: () => 'write all, loopback, an address, a network such as 10.0.0.0/8, a host or a domain',
    exit: 2,
    retry: 'never',
  },
  LINES_IDLE: {
    message: ({ seconds }: { seconds: number }) => `no data moved on the connection for ${seconds} s`,
    hint: () => 'try again; the other side or the network does not respond',
    exit: 12,
    retry: 'later',
  },
  LINES_LONG: {
    message: ({ limit }: { limit: number }) => `a line is longer than ${limit} bytes`,
    hint: () => 'send one command on a line',
    exit: 1,
    retry: 'never',
  },
});
