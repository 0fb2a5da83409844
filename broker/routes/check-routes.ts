import type { Route } from '../../http/index.ts';
import type { Broker } from '../service/index.ts';

/** How a Broker's data is checked and tidied through its control door. */
export function checkRoutes(broker: Broker): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/control/check',
      summary: 'Check the data against itself, and mend it with repair=1',
      scope: 'admin',
      hidden: true,
      handle: async ({ query: { repair }, signal }) => ({
        json: await broker.check({ repair: repair === '1', signal }),
      }),
    },
    {
      method: 'POST',
      path: '/control/duplicates',
      summary: 'URLs under several Gatherers; with delete=1 all but the newest summary of each go',
      scope: 'admin',
      hidden: true,
      handle: async ({ query, signal }) => ({
        json: await broker.duplicates({ isDryRun: query.delete !== '1', signal }),
      }),
    },
  ];
}
