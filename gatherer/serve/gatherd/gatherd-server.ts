import type { Clock } from '../../../kernel/index.ts';
import { type LineServer, type LineServerOptions, serveLines } from '../../../line-protocol/index.ts';
import type { ClassicSource } from './classic-store.ts';
import { gatherdFault, gatherdSessionEnded } from './events.ts';
import { GatherdSession } from './gatherd-session.ts';

export interface GatherdOptions
  extends Pick<LineServerOptions, 'host' | 'allow' | 'deny' | 'maxConnections' | 'idleSeconds' | 'names'> {
  readonly source: ClassicSource;
  /** The name in the greeting: that of a host or a Gatherer. */
  readonly name: string;
  readonly clock: Clock;
  /** 0 takes any free port. */
  readonly port: number;
}

/** A port that speaks gatherd. Disposing ends its connections. */
export type GatherdServer = LineServer;

/** Listen as Harvest's gatherd (1.4) for hosts on the access list. Throws LINES_PORT and LINES_ACCESS. */
export function serveGatherd({ source, name, ...options }: GatherdOptions): Promise<GatherdServer> {
  return serveLines({
    ...options,
    converse: (connection, from) => {
      const session = new GatherdSession(connection, source, name);
      return {
        run: () => session.run(),
        refuse: (reason) => session.say(`099 - ERROR: ${reason}`),
        ended: (end) => gatherdSessionEnded.publish({ from, commands: session.commands, ...end }),
      };
    },
    busy: '099 - ERROR: too many connections, try again later\n',
    fault: (error) => gatherdFault.publish({ command: 'listening', error }),
    turnedAway: (from) =>
      gatherdSessionEnded.publish({ from, commands: 0, bytes: 0, reason: 'too many connections' }),
  });
}
