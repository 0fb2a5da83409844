import type { Route } from '../../http/index.ts';
import type { Administration } from './administration.ts';
import { objectRoutes } from './object-routes.ts';
import { sourceRoutes } from './source-routes.ts';
import { tokenRoutes } from './token-routes.ts';
import { upkeepRoutes } from './upkeep-routes.ts';

export function administrationRoutes(administration: Administration): readonly Route[] {
  return [
    ...sourceRoutes(administration),
    ...objectRoutes(administration),
    ...upkeepRoutes(administration),
    ...tokenRoutes(administration),
  ];
}
