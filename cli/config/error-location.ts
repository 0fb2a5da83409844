import type { GarnerError } from '../../kernel/index.ts';
import type { EffectiveConfig } from './config.ts';

/** What an operator's own rules, programs, modules and roots can be wrong in. */
const ofTables = /^(?:RULE|MODULE|PROGRAM)_|^GATHERER_ROOT_NODE$/;

/** Where the configuration has what an error is about, as `garner.yaml:12`; undefined when it is about something else. */
export function configuredPlace(config: EffectiveConfig, { code, data }: GarnerError): string | undefined {
  if (!ofTables.test(code)) return undefined;
  const told = (data ?? {}) as Readonly<Record<string, unknown>>;
  const text = (name: string) => (typeof told[name] === 'string' ? [told[name]] : []);
  // A root's own URL is its key where only its enumerator finds the fault.
  const texts = ['key', 'module', 'program', 'text', 'pattern'].flatMap(text);
  return config.placeOf(text('key')[0], texts);
}
