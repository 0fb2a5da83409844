import { defineErrors } from '../kernel/index.ts';

const refused = { exit: 1, retry: 'never' } as const;

/** What a Registry said when it refused; empty texts where it said nothing. */
interface Refusal {
  readonly address: string;
  readonly code: string;
  readonly why: string;
  readonly hint: string;
}

export const registryErrors = defineErrors({
  REGISTRY_ATTRIBUTE: {
    message: ({ attribute, problem }: { attribute: string; problem: string }) =>
      `the description of the server cannot be listed: ${attribute} ${problem}`,
    hint: ({ attribute }: { attribute: string }) =>
      /\burl\b/i.test(attribute)
        ? 'write the address at which others reach the server, such as https://www.example.org/'
        : 'docs/registry-attributes.md lists the attributes of each type of server',
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
  REGISTRY_LISTED: {
    message: ({ url }: { url: string }) => `${url} is listed here already`,
    hint: () => 'garner registry describe with this address shows its description',
    ...refused,
    status: 409,
  },
  REGISTRY_HOLDS_ENOUGH: {
    message: ({ max, from }: { max: number; from: string; retrySeconds: number }) =>
      `this Registry holds ${max} applications from ${from}, which is its maximum`,
    hint: () => 'an administrator of it decides about them; apply again later',
    exit: 1,
    retry: 'later',
    status: 429,
  },
  REGISTRY_NO_APPLICATION: {
    message: ({ id }: { id: string }) => `no application ${JSON.stringify(id)} is held here`,
    hint: () => 'garner registry approve lists what is held; an application is dropped after 30 days',
    ...refused,
    status: 404,
  },
  REGISTRY_REFUSED: {
    message: ({ address, why, code }: Refusal) =>
      `the Registry at ${address} answers: ${why}${code === '' ? '' : ` (${code})`}`,
    hint: ({ hint }: Refusal) => hint || 'ask the operator of that Registry',
    advice: 'follow the hint, which is that of the Registry',
    ...refused,
    status: 502,
  },
  REGISTRY_REMOTE: {
    message: ({ address, why }: { address: string; why: string }) =>
      `${address} does not answer as a Registry: ${why}`,
    hint: () =>
      'check the address, and that the Registry runs: it listens on port 8502 unless its operator chose another one',
    exit: 12,
    retry: 'later',
    status: 502,
  },
});
