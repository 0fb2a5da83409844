import type { Route } from '../http/index.ts';
import type { Broker } from './broker.ts';

/** How a Broker's data is checked through its control door. */
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
  ];
}
