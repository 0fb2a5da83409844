import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GarnerError } from '../../kernel/index.ts';
import { registrationSettings } from '../../registry/settings.ts';
import { effectiveConfig } from '../config/config.ts';
import { leaseOf } from './lease-settings.ts';

const lease = (renewal: string, whole: string) => {
  const text = `server:\n  renewal: ${renewal}\n  lease: ${whole}\n`;
  return leaseOf(effectiveConfig([registrationSettings], { file: { name: 'garner.yaml', text } }));
};

test('a renewal is in whole seconds, at least one, and shorter than the lease, or the setting is named', () => {
  assert.deepEqual(lease('1s', '2s'), { refreshSeconds: 1, ttlSeconds: 2 });
  assert.deepEqual(lease('60s', '30d'), { refreshSeconds: 60, ttlSeconds: 30 * 86_400 });
  const wrong = [
    ['server.renewal', 'garner.yaml:2', '0s', '5m'],
    ['server.renewal', 'garner.yaml:2', '0.5s', '5m'],
    ['server.renewal', 'garner.yaml:2', '1.5s', '5m'],
    ['server.renewal', 'garner.yaml:2', '5m', '5m'],
    ['server.lease', 'garner.yaml:3', '1s', '0.5s'],
    ['server.lease', 'garner.yaml:3', '1s', '31d'],
  ] as const;
  for (const [key, at, renewal, whole] of wrong)
    assert.throws(
      () => lease(renewal, whole),
      (error: unknown) => {
        assert.ok(error instanceof GarnerError);
        assert.equal(error.code, 'CLI_BAD_SETTING');
        assert.match(error.message, new RegExp(`^${key} `));
        assert.equal((error.data as { readonly at: string }).at, at);
        return true;
      },
      `${renewal} ${whole}`,
    );
});
