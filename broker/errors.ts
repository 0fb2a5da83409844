import { defineErrors } from '../kernel/index.ts';

export const brokerErrors = defineErrors({
  BROKER_QUERY: {
    message: ({ field, reason }: { field: string; reason: string }) => `${field} ${reason}`,
    hint: () => 'see /openapi.json for what a search takes',
    exit: 2,
    retry: 'never',
    status: 400,
  },
  BROKER_NO_OBJECT: {
    message: ({ oid }: { oid: string }) => `there is no object ${oid} here`,
    hint: () => 'it may have been deleted or have expired; search again',
    exit: 1,
    retry: 'never',
    status: 404,
  },
  BROKER_SOURCE: {
    message: ({ source }: { source: string }) => `${source} is not an address to collect from`,
    hint: () => 'write it as ws://host:8500 or wss://host',
    exit: 2,
    retry: 'never',
    status: 400,
  },
  BROKER_NO_SOURCE: {
    message: ({ source }: { source: string }) => `this Broker does not collect from ${source}`,
    hint: () => 'garner broker status lists the sources it has',
    exit: 2,
    retry: 'never',
    status: 404,
  },
});
