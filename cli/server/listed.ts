import { failure } from '../../kernel/index.ts';
import type { DataFolder } from '../../store/index.ts';
import type { EffectiveConfig } from '../config/config.ts';
import { cliErrors } from '../config/errors.ts';
import type { Registered } from './registering.ts';

/** The addresses of `server.registry`. Throws CLI_BAD_SETTING. */
export function registriesOf(config: EffectiveConfig): readonly string[] {
  return config.list('server.registry').map((text) => {
    const url = URL.parse(text);
    if (url !== null && /^https?:$/.test(url.protocol)) return url.href;
    throw failure(cliErrors.CLI_BAD_SETTING, {
      ...{ key: 'server.registry', at: config.origin('server.registry') },
      problem: `has ${JSON.stringify(text.slice(0, 200))}, which is not the address of a Registry`,
      cure: 'write it as http://127.0.0.1:8502 or https://registry.example.org',
    });
  });
}

/** Begin to register where `server.registry` names Registries. Throws CLI_BAD_SETTING. */
export async function listed(
  config: EffectiveConfig,
  registers: () => Promise<Registered>,
  { folder, ...server }: { readonly folder: DataFolder; readonly name: string; readonly url: string },
): Promise<AsyncDisposable | undefined> {
  if (config.list('server.registry').length === 0) return undefined;
  // Loaded where it is set: most servers do not register.
  const { registering } = await import('./registering.ts');
  return registering(config, registriesOf(config), {
    ...(await registers()),
    identity: folder.identity,
    ...server,
  });
}
