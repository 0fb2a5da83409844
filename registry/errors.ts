import { defineErrors } from '../kernel/index.ts';

const refused = { exit: 1, retry: 'never' } as const;

export const registryErrors = defineErrors({
  REGISTRY_ATTRIBUTE: {
    message: ({ attribute, problem }: { attribute: string; problem: string }) =>
      `the description of the server cannot be listed: ${attribute} ${problem}`,
    hint: () => 'docs/registry.md lists the attributes of each type of server',
    ...refused,
    status: 422,
  },
  REGISTRY_FULL: {
    message: ({ max }: { max: number }) => `this Registry lists ${max} servers, which is its maximum`,
    hint: () => 'ask its operator to raise registry.max-servers',
    exit: 1,
    retry: 'later',
    status: 503,
  },
  REGISTRY_TOO_MANY: {
    message: ({ max }: { max: number }) => `the server has ${max} descriptions here, which is the maximum`,
    hint: () => 'withdraw a description that is no longer true, or wait until its lease ends',
    ...refused,
    status: 403,
  },
  REGISTRY_BLOCKED: {
    message: () => 'the operator of this Registry keeps out this server or this URL',
    hint: () => 'ask the operator of the Registry',
    ...refused,
    status: 403,
  },
  REGISTRY_NO_SERVER: {
    message: ({ id }: { id: string }) => `no server ${JSON.stringify(id)} is listed here`,
    hint: () => 'garner registry list shows the servers with their ids',
    ...refused,
    status: 404,
  },
  REGISTRY_REMOTE: {
    message: ({ address, why }: { address: string; why: string }) =>
      `${address} does not answer as a Registry: ${why}`,
    hint: () => 'check the address: a Registry listens on port 8502 unless its operator chose another one',
    exit: 3,
    retry: 'later',
    status: 502,
  },
});
