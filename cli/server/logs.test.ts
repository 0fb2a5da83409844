import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { originFailed, peerChanged, requestAnswered } from '../../cache/events.ts';
import { logEvents } from './logs.ts';

/** The messages and levels that are written at a level while `happen` does. */
function written(level: string, happen: () => void): readonly string[] {
  const lines: string[] = [];
  const stop = logEvents(pino({ level }, { write: (line: string) => lines.push(line) }));
  happen();
  stop();
  return lines.map((line) => {
    const { level, msg, error, reason, state } = JSON.parse(line);
    return [level, msg, error?.code ?? reason ?? state].join(' ');
  });
}

test('servers that fail and peers that come and go are reported as warnings, requests that fail as debug lines', () => {
  const happen = () => {
    originFailed.publish({ origin: 'http://o', code: 'CACHE_SILENT', reason: 'it is silent', times: 2 });
    peerChanged.publish({ name: 'p', role: 'parent', state: 'silent' });
    requestAnswered.publish({
      request: {
        ...{ method: 'GET', url: 'http://o/', fields: [], version: '1.1', clientAddress: '192.0.2.1' },
        ...{ fromCache: false, signal: new AbortController().signal },
      },
      decision: {
        ...{ outcome: 'failed', rule: 'no-answer' },
        error: { code: 'CACHE_SILENT', reason: 'it is silent' },
      },
      ...{ status: 504, bytes: undefined },
    });
  };
  const warnings = ['40 cache origin it is silent', '40 cache peer silent'];
  assert.deepEqual(written('info', happen), warnings);
  assert.deepEqual(written('debug', happen), [...warnings, '20 answered CACHE_SILENT']);
});
