import { type Broker, classicBroker, serveClassic } from '../broker/index.ts';
import { TokenTable } from '../http/index.ts';
import { isGarnerError, systemClock } from '../kernel/index.ts';
import type { LineServer } from '../lines/index.ts';
import type { EffectiveConfig } from './config.ts';
import { serverTokens } from './tokens.ts';

/** Open the port for clients of Harvest's time when `broker.classic-port` is set. */
export async function openClassicPort(
  broker: Broker,
  config: EffectiveConfig,
): Promise<LineServer | undefined> {
  const port = config.count('broker.classic-port');
  if (port === 0) return undefined;
  const tokens = new TokenTable({ admin: serverTokens(config).admin });
  const authorise = (password: string): boolean => {
    try {
      tokens.check('admin', `Bearer ${password}`);
      return true;
    } catch (error) {
      if (!isGarnerError(error)) throw error;
      return false;
    }
  };
  return serveClassic(classicBroker(broker, { authorise }), {
    clock: systemClock,
    port,
    host: config.text('broker.classic-host'),
    allow: config.list('broker.classic-allow'),
    deny: config.list('broker.classic-deny'),
    maxConnections: config.count('broker.classic-connections'),
    idleSeconds: config.seconds('broker.classic-idle'),
  });
}
