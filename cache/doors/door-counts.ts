import type { HttpDoor } from './http-door.ts';
import type { Tunnels } from './tunnels.ts';

/** What doors dealt with that the cache behind them was not asked. */
export interface DoorCounts {
  /** Requests, tunnels and connections that were refused, by the code of the error. */
  readonly refused: Readonly<Record<string, number>>;
  /** Tunnels and upgraded connections: all that were opened, and those that are open. */
  readonly tunnels: { readonly opened: number; readonly open: number };
}

/** The sums of doors that have their tunnels in common. */
export function doorCounts(doors: readonly HttpDoor[], tunnels: Tunnels): DoorCounts {
  const refused: Record<string, number> = {};
  for (const door of doors)
    for (const [code, times] of door.refused) refused[code] = (refused[code] ?? 0) + times;
  return { refused, tunnels: { opened: tunnels.opened, open: tunnels.open } };
}
