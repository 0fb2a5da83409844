import { serverAddress } from '../../broker/index.ts';
import { GarnerError } from '../../kernel/index.ts';
import { badSetting } from './bad-setting.ts';
import type { EffectiveConfig } from './config.ts';

/** The problem and the cure of an invalid address, by the setting that holds it. */
const words = {
  'broker.collect': {
    what: 'not the address of a source',
    cure: 'write an address such as ws://127.0.0.1:8500 or wss://www.example.org/garner/wire, or push:ID.KEY for a server that pushes',
  },
  'gatherer.push-to': {
    what: 'not the address of a Broker',
    cure: 'write an address such as ws://127.0.0.1:8501 or wss://search.example.org',
  },
} as const;

/** A server's address as a person wrote it, read by `read`. Throws CLI_BAD_SETTING with the place and what to write. */
export function checkedAddress(
  config: EffectiveConfig,
  key: keyof typeof words,
  text: string,
  read: (text: string) => string = serverAddress,
): string {
  const { what, cure } = words[key];
  const problem = `holds ${JSON.stringify(text.slice(0, 200))}, which is ${what}`;
  const bad = (cause?: unknown) => badSetting(config, key, problem, cure, cause);
  let address: string;
  try {
    address = read(text);
  } catch (error) {
    if (!(error instanceof GarnerError)) throw error;
    throw bad(error);
  }
  // `http//a` and `ws:/a` are slips, though one can read a host and a path in them.
  const isSlip = !/^[a-z]+:\/\/|^[^/]+(?:\/(?!\/)|$)/i.test(text) || /^[a-z]+:\/(?!\/)/i.test(text);
  if (isSlip && !address.startsWith('push:')) throw bad();
  return address;
}

/** The Brokers of gatherer.push-to, each once. Throws CLI_BAD_SETTING. */
export function pushAddresses(config: EffectiveConfig): readonly string[] {
  const written = config.list('gatherer.push-to');
  return [...new Set(written.map((text) => checkedAddress(config, 'gatherer.push-to', text)))];
}
