import { defineErrors } from '../../../kernel/index.ts';

/** Faults of the gatherd port, and of gatherd servers. */
export const gatherdErrors = defineErrors({
  GATHERD_UNREACHABLE: {
    message: ({
      address,
      port,
      reason,
    }: {
      readonly address: string;
      readonly port: number;
      readonly reason: string;
    }) => `no gatherd answers at ${address}:${port}: ${reason}`,
    hint: () => 'check host and port, and that the server admits this machine',
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
    hint: () => 'send another request, or contact the Gatherer’s administrator',
    exit: 1,
    retry: 'never',
  },
});
