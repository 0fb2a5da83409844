import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isGarnerError } from '../../kernel/index.ts';
import { allSettings } from './all-settings.ts';
import { effectiveConfig } from './config.ts';
import { cliErrors } from './errors.ts';
import { serverTokens } from './tokens.ts';

const tokensOf = (env: Readonly<Record<string, string>>) =>
  serverTokens(effectiveConfig([allSettings], { env }));

test('sessions are open to anyone until a token is set', () => {
  assert.equal(tokensOf({}).session, undefined);
  assert.equal(tokensOf({ GARNER_HTTP_READ_TOKENS: 'readtoken1' }).session, undefined);
  assert.deepEqual(tokensOf({ GARNER_WIRE_TOKENS: 'one two' }).session, ['one', 'two']);
});

test('with tokens required, sessions take every token that may read', () => {
  const tokens = tokensOf({
    GARNER_HTTP_REQUIRE_TOKEN: 'true',
    GARNER_HTTP_READ_TOKENS: 'readtoken1',
    GARNER_HTTP_ADMIN_TOKENS: 'admintoken1',
    GARNER_WIRE_TOKENS: 'one',
  });
  assert.deepEqual(tokens.session, ['one', 'readtoken1', 'admintoken1']);
});

test('a server that requires tokens and knows none does not start, nor one with a token too short', () => {
  const isBadSetting = (error: unknown) => isGarnerError(error, cliErrors.CLI_BAD_SETTING);
  assert.throws(() => tokensOf({ GARNER_HTTP_REQUIRE_TOKEN: 'true' }), isBadSetting);
  assert.throws(() => tokensOf({ GARNER_HTTP_ADMIN_TOKENS: 'short' }), isBadSetting);
});
