import type { HttpDoor } from './http-door.ts';
import type { Tunnels } from './tunnels.ts';

/** Counts of what doors handled without the cache behind them. */
export interface DoorCounts {
  /** Refused requests, tunnels and connections, by the code of the error. */
  readonly refused: Readonly<Record<string, number>>;
  /** Tunnels and upgraded connections: all opened ones, and those open now. */
  readonly tunnels: { readonly opened: number; readonly open: number };
}

/** The sums of doors that share their tunnels. */
export function doorCounts(doors: readonly HttpDoor[], tunnels: Tunnels): DoorCounts {
  const refused: Record<string, number> = {};
  for (const door of doors)
    for (const [code, times] of door.refused) refused[code] = (refused[code] ?? 0) + times;
  return { refused, tunnels: { opened: tunnels.opened, open: tunnels.open } };
}
