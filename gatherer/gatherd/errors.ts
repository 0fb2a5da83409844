import { defineErrors } from '../../kernel/index.ts';

interface Place {
  readonly address: string;
  readonly port: number;
}

/** What can go wrong at the port that speaks gatherd, and with a server that does. */
export const gatherdErrors = defineErrors({
  GATHERD_PORT: {
    message: ({ address, port, reason }: Place & { readonly reason: string }) =>
      `the gatherd port ${port} of ${address} cannot be opened: ${reason}`,
    hint: () => 'choose a free port above 1023 with gatherer.gatherd-port, and an address of this machine',
    exit: 1,
    retry: 'later',
  },
  GATHERD_ACCESS: {
    message: ({ entry }: { readonly entry: string }) =>
      `${JSON.stringify(entry.slice(0, 80))} says nobody's address in an access list of gatherd`,
    hint: () => 'write all, loopback, an address, a network such as 10.0.0.0/8, a host or a domain',
    exit: 2,
    retry: 'never',
  },
  GATHERD_IDLE: {
    message: ({ seconds }: { readonly seconds: number }) =>
      `nothing moved on the connection for ${seconds} s`,
    hint: () => 'try again; the other side or the network between stands still',
    exit: 12,
    retry: 'later',
  },
  GATHERD_LINE: {
    message: ({ limit }: { readonly limit: number }) => `a line is longer than ${limit} bytes`,
    hint: () => 'send one command on a line',
    exit: 1,
    retry: 'never',
  },
  GATHERD_UNREACHABLE: {
    message: ({ address, port, reason }: Place & { readonly reason: string }) =>
      `no gatherd answers at ${address}:${port}: ${reason}`,
    hint: () => 'check host and port, and that the server lets this machine in',
    exit: 12,
    retry: 'later',
  },
  GATHERD_PROTOCOL: {
    message: ({ problem }: { readonly problem: string }) => `the server does not speak gatherd: ${problem}`,
    hint: () => 'check that host and port are those of a Harvest Gatherer',
    exit: 1,
    retry: 'never',
  },
  GATHERD_REFUSED: {
    message: ({ command, answer }: { readonly command: string; readonly answer: string }) =>
      `the server refused ${command}: ${answer}`,
    hint: () => 'ask for something else, or ask the Gatherer’s administrator',
    exit: 1,
    retry: 'never',
  },
});
