import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { test } from 'node:test';
import { allSettings } from '../config/all-settings.ts';
import { effectiveConfig } from '../config/config.ts';
import { registryName } from './serve-registry.ts';

const nameOf = (env: Readonly<Record<string, string>>, port = 8502) =>
  registryName(effectiveConfig([allSettings], { env }), '/srv/town/registry', port);

test('a Registry without a name has that of its address, or of its data folder', () => {
  assert.equal(nameOf({}), '127.0.0.1:8502');
  assert.equal(nameOf({}, 8512), '127.0.0.1:8512');
  assert.equal(nameOf({}, 0), 'town');
  assert.equal(nameOf({ GARNER_HTTP_HOST: '::1' }), '[::1]:8502');
  assert.equal(nameOf({ GARNER_HTTP_HOST: '0.0.0.0' }), `${hostname()}:8502`);
  const named = { GARNER_HTTP_HOST: '0.0.0.0', GARNER_HTTP_HOST_NAMES: 'registry.example.org' };
  assert.equal(nameOf(named), 'registry.example.org:8502');
  const url = { GARNER_SERVER_PUBLIC_URL: 'https://registry.example.org/town/' };
  assert.equal(nameOf({ ...named, ...url }, 0), 'registry.example.org');
  assert.equal(nameOf({ ...url, GARNER_BROKER_NAME: 'Garner' }), 'Garner', 'a name that is set');
});
