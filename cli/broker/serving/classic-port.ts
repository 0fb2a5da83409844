import { type Broker, type ClassicOrders, classicBroker, serveClassic } from '../../../broker/index.ts';
import { systemClock } from '../../../kernel/index.ts';
import type { LineServer } from '../../../line-protocol/index.ts';
import type { EffectiveConfig } from '../../config/config.ts';

/** Open the port for clients of Harvest's time when `broker.classic-port` is set. */
export async function openClassicPort(
  broker: Broker,
  config: EffectiveConfig,
  orders: ClassicOrders,
): Promise<LineServer | undefined> {
  const port = config.count('broker.classic-port');
  if (port === 0) return undefined;
  return serveClassic(classicBroker(broker, orders), {
    clock: systemClock,
    port,
    host: config.text('broker.classic-host'),
    allow: config.list('broker.classic-allow'),
    deny: config.list('broker.classic-deny'),
    maxConnections: config.count('broker.classic-connections'),
    idleSeconds: config.seconds('broker.classic-idle'),
  });
}
