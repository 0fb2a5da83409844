import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failure } from '../../kernel/index.ts';
import { connectFaults } from '../connect-faults.ts';
import { cacheErrors } from '../errors.ts';
import { connectingTooLong, upstreamError } from '../upstream/upstream-errors.ts';
import { errorAnswer } from './error-answer.ts';

const place = { url: 'http://127.0.0.1:18081/never', why: 'nothing listens there' };
const textOf = (...[error, ofSite]: [Parameters<typeof errorAnswer>[0], boolean]) =>
  Buffer.from(errorAnswer(error, 'garner', ofSite).content as Uint8Array).toString();

test("errors show the origin's address to clients of a proxy, not to visitors of an accelerated site", () => {
  for (const kind of [
    cacheErrors.CACHE_UNREACHABLE,
    cacheErrors.CACHE_SILENT,
    cacheErrors.CACHE_BROKEN_OFF,
    cacheErrors.CACHE_BAD_RESPONSE,
    cacheErrors.CACHE_ADDRESS_REFUSED,
  ]) {
    const error = failure(kind, place);
    assert.doesNotMatch(textOf(error, true), /127\.0\.0\.1|18081|allow-hosts/, error.code);
    assert.match(textOf(error, true), new RegExp(error.code));
    assert.match(textOf(error, false), /127\.0\.0\.1:18081/, error.code);
  }
  const own = failure(cacheErrors.CACHE_BAD_REQUEST, { problem: 'it has two Hosts' });
  assert.match(textOf(own, true), /two Hosts/);
});

test('RFC 9209 2.3: Proxy-Status names the fault that prevented a connection, and the hint helps', () => {
  const said = (error: Parameters<typeof errorAnswer>[0]) => {
    const { fields } = errorAnswer(error, 'garner');
    const [, name] = /error=(\w+);/.exec(String(fields[fields.indexOf('Proxy-Status') + 1])) ?? [];
    return `${name}: ${error.hint}`;
  };
  for (const [code, name, words] of [
    ['ENOTFOUND', 'dns_error', /spelling of the name/],
    ['EAI_AGAIN', 'dns_error', /name service/],
    ['ECONNREFUSED', 'connection_refused', /that its server runs/],
    ['ENETUNREACH', 'destination_ip_unroutable', /network/],
    ['ETIMEDOUT', 'connection_timeout', /firewalls/],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls_certificate_error', /NODE_EXTRA_CA_CERTS=FILE/],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls_certificate_error', /NODE_EXTRA_CA_CERTS=FILE/],
    ['CERT_HAS_EXPIRED', 'tls_certificate_error', /renewed/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls_certificate_error', /by a name in its certificate/],
    ['CERT_REVOKED', 'tls_certificate_error', /openssl/],
    ['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', 'tls_alert_received', /requires a client certificate/],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls_protocol_error', /plain HTTP/],
    ['EPROTO', 'tls_protocol_error', /plain HTTP/],
    ['EMFILE', 'destination_unavailable', /its server runs/],
  ] as const) {
    const error = upstreamError('https://o.example/', Object.assign(new Error(code), { code }));
    assert.equal(error.code, 'CACHE_UNREACHABLE');
    assert.match(said(error), new RegExp(`^${name}: .*${words.source}`), code);
  }
  assert.match(said(connectingTooLong('https://o.example/')), /^connection_timeout: /);
  assert.match(said(failure(cacheErrors.CACHE_UNREACHABLE, place)), /^destination_unavailable: /);
  assert.equal(
    new Set(Object.values(connectFaults).map(({ why }) => why)).size,
    Object.keys(connectFaults).length,
  );
});
