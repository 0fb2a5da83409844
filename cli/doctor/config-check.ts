import { Credentials, credentialsErrors } from '../../fetch/index.ts';
import { failure, GarnerError, nearest } from '../../kernel/index.ts';
import { badSetting } from '../config/bad-setting.ts';
import type { EffectiveConfig } from '../config/config.ts';
import type { Mistakes } from '../config/config-errors.ts';
import { serverTokens } from '../config/tokens.ts';

/** The maximum of names that are compared with existing ones. */
const maxCompared = 1000;

/**
 * Check what the kind of a setting cannot: addresses, tokens, and the tables of rules and roots. Notes every fault. The
 * code of a role is loaded only where one of its settings is given: the defaults are valid.
 */
export async function checkConfig(config: EffectiveConfig, mistakes: Mistakes): Promise<void> {
  const isGiven = (prefix: string) =>
    config.entries().some(({ key }) => key.startsWith(prefix) && config.isGiven(key));
  if (isGiven('broker.collect') || isGiven('gatherer.push-to')) await checkAddresses(config, mistakes);
  if (isGiven('broker.filters') || isGiven('broker.scheme')) {
    const { checkSourceFilters } = await import('../config/source-filters.ts');
    checkSourceFilters(config, mistakes);
  }
  if (isGiven('broker.source-access')) {
    const { checkSourceAccess } = await import('../config/source-access.ts');
    checkSourceAccess(config, mistakes);
  }
  if (isGiven('broker.publishers')) {
    const { publishersOf } = await import('../config/publishers.ts');
    mistakes.attempt(() => publishersOf(config));
  }
  // A token that was refused would look like a missing one.
  if (!mistakes.concerns(['http.', 'wire.'])) mistakes.attempt(() => serverTokens(config));
  if (isGiven('cache.') && !mistakes.concerns(['cache.'])) {
    const { checkCacheSettings } = await import('../cache/check-settings.ts');
    checkCacheSettings(config, mistakes);
  }
  checkCredentials(config, mistakes);
  checkRootCredentials(config, mistakes);
  if (!isGiven('gatherer.')) return;
  const { judgeConfig } = await import('../../gatherer/index.ts');
  let compared = 0;
  await judgeConfig(config, {
    ...noting(config, mistakes),
    // The comparison is quadratic in the names' lengths, and nobody reads so many suggestions.
    nearest: (typed, known) => (++compared > maxCompared ? undefined : nearest(typed, known)),
  });
}

/** Note the programs, modules, roots and secret variables of the configuration that this machine lacks. */
export async function checkMachine(
  config: EffectiveConfig,
  mistakes: Mistakes,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const noted = noting(config, mistakes);
  const { judgeMachine } = await import('../../gatherer/index.ts');
  await judgeMachine(config, noted);
  for (const [at, record] of config.records('fetch.credentials').entries())
    for (const name of ['password-env', 'token-env']) {
      const variable = record[name];
      if (typeof variable !== 'string' || env[variable]) continue;
      const key = `fetch.credentials[${at}]`;
      noted.doubt(
        key,
        `${key}.${name}: the environment variable ${variable} is not set; a run without it is refused`,
      );
    }
}

function settingOf(key: string): string {
  return key.replace(/\[.*$/, '');
}

/** Notes the mistakes and warnings of an entry with its place. */
function noting(config: EffectiveConfig, mistakes: Mistakes) {
  const placeOf = (key: string) => config.placeOf(key, []) ?? config.origin(settingOf(key));
  return {
    fault: (key: string, error: GarnerError) => mistakes.note(error, placeOf(key)),
    doubt: (key: string, text: string) => mistakes.warn({ key: settingOf(key), at: placeOf(key), text }),
  };
}

async function checkAddresses(config: EffectiveConfig, mistakes: Mistakes): Promise<void> {
  const { sourceAddress } = await import('../../broker/index.ts');
  const { checkedAddress } = await import('../config/server-addresses.ts');
  const collected = config
    .list('broker.collect')
    .map((text) => mistakes.attempt(() => checkedAddress(config, 'broker.collect', text, sourceAddress)));
  // A source that pushes may be written in several ways, of which only one would be used.
  const seen = new Set<string>();
  const doubled = collected.find(
    (address) => address?.startsWith('push:') && seen.size === seen.add(address).size,
  );
  if (doubled !== undefined)
    mistakes.note(
      badSetting(config, 'broker.collect', `names the server of ${doubled} twice`, 'keep one of the two'),
    );
  for (const text of config.list('gatherer.push-to'))
    mistakes.attempt(() => checkedAddress(config, 'gatherer.push-to', text));
}

function checkRootCredentials(config: EffectiveConfig, mistakes: Mistakes): void {
  const names = config.records('fetch.credentials').map(({ name }) => name);
  for (const [at, { credentials }] of config.records('gatherer.roots').entries()) {
    if (typeof credentials !== 'string' || credentials === '' || names.includes(credentials)) continue;
    const known = names.filter((name) => typeof name === 'string').join(', ') || 'none';
    const error = failure(credentialsErrors.FETCH_CREDENTIALS, {
      key: `gatherer.roots[${at}].credentials`,
      why: `there are no credentials with the name ${credentials.slice(0, 200)}`,
      cure: `Give that name to an entry of fetch.credentials; known names: ${known}.`,
    });
    mistakes.note(error, config.placeOf(`gatherer.roots[${at}]`, []));
  }
}

/** Only the shape: variables that hold secrets are read where they are used. */
function checkCredentials(config: EffectiveConfig, mistakes: Mistakes): void {
  const anyVariable = new Proxy({}, { get: () => 'set' }) as Readonly<Record<string, string>>;
  for (const [at, record] of config.records('fetch.credentials').entries()) {
    // The entries before it are holes, so that an error names the right one.
    const alone: unknown[] = [];
    alone[at] = record;
    try {
      Credentials.parse(alone, anyVariable);
    } catch (error) {
      if (!(error instanceof GarnerError)) throw error;
      mistakes.note(error, config.placeOf(`fetch.credentials[${at}]`, []));
    }
  }
}
