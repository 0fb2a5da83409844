import { type LineServer, type LineServerOptions, serveLines } from '../../line-protocol/index.ts';
import { type ClassicBroker, ClassicSession } from './classic-session.ts';
import { classicFault, classicSessionEnded } from './events.ts';

export type ClassicOptions = Pick<
  LineServerOptions,
  'clock' | 'port' | 'host' | 'allow' | 'deny' | 'maxConnections' | 'idleSeconds' | 'names'
>;

/** Open a port that speaks the line protocol of Harvest's Broker (1996). Throws LINES_PORT, LINES_ACCESS. */
export function serveClassic(broker: ClassicBroker, options: ClassicOptions): Promise<LineServer> {
  return serveLines({
    ...options,
    converse: (connection, from) => {
      const session = new ClassicSession(connection, broker);
      return {
        run: () => session.run(),
        refuse: (reason) => session.say(`103 - ERROR: ${reason}`),
        ended: (ending) => classicSessionEnded.publish({ from, asked: session.request, ...ending }),
      };
    },
    busy: '103 - ERROR: too many connections, try again later\n',
    fault: (error) => classicFault.publish({ asked: 'listening', error }),
    turnedAway: (from) =>
      classicSessionEnded.publish({ from, asked: '', bytes: 0, reason: 'too many connections' }),
  });
}
