import type { DataFolder } from '../../store/index.ts';
import type { EffectiveConfig } from '../config/config.ts';
import type { Registered } from './registering.ts';

/** Begin to register where `server.registry` names Registries. Throws CLI_BAD_SETTING. */
export async function listed(
  config: EffectiveConfig,
  registers: () => Promise<Registered>,
  { folder, ...server }: { readonly folder: DataFolder; readonly name: string; readonly url: string },
): Promise<AsyncDisposable | undefined> {
  if (config.list('server.registry').length === 0) return undefined;
  // Loaded where it is set: most servers do not register.
  const { registering } = await import('./registering.ts');
  return registering(config, { ...(await registers()), identity: folder.identity, ...server });
}
