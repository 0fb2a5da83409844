import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { openServedBroker } from '../api/served-broker.ts';
import { temporaryFolder } from '../commands/command.ts';
import { serveHere } from '../commands/command-here.ts';
import { until } from '../kill/server-process.ts';

type Schema = Readonly<Record<string, unknown>>;

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
}

interface Description {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const token = 'a-token-of-the-operator';
const ajv = new Ajv2020({ strict: false, validateFormats: false });

/** The schema under which an object has no other properties than those it names. */
function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, strict(value)]));
  const isClosed = typeof inner.properties === 'object' && inner.additionalProperties === undefined;
  return inner.type === 'object' && isClosed ? { ...inner, additionalProperties: false } : inner;
}

/** A served API with its description. */
class DescribedApi {
  readonly url: string;
  readonly description: Description;
  /** The routes that have answered as described. */
  readonly answered = new Set<string>();

  constructor(url: string, description: Description) {
    this.url = url;
    this.description = description;
  }

  static async at(url: string): Promise<DescribedApi> {
    return new DescribedApi(url, (await (await fetch(new URL('openapi.json', url))).json()) as Description);
  }

  /** Call a route, and check that status, media type and body are described. */
  async call(method: string, template: string, path: string, json?: unknown, accept = 'application/json') {
    const operation = this.description.paths[template]?.[method.toLowerCase()];
    assert.ok(operation !== undefined, `${method} ${template} is not described`);
    const body = typeof json === 'string' ? json : json === undefined ? undefined : JSON.stringify(json);
    const response = await fetch(new URL(path.replace(/^\//, ''), this.url), {
      method,
      headers: {
        ...{ authorization: `Bearer ${token}`, accept },
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
      redirect: 'manual',
    });
    const documented = operation.responses[response.status] ?? operation.responses.default;
    const type = (response.headers.get('content-type') ?? '').split(';', 1)[0] ?? '';
    const text = await response.text();
    const about = `${method} ${path} at ${this.url}: ${response.status} ${type}`;
    if (response.status === 307) return undefined;
    const content = documented?.content?.[type];
    assert.ok(content !== undefined, `${about} is not described: ${text.slice(0, 300)}`);
    if (!type.includes('json') || content.schema.$ref !== undefined) return undefined;
    const value: unknown =
      type === 'application/jsonl' ? JSON.parse(text.split('\n')[0] ?? '') : JSON.parse(text);
    const isValid = ajv.validate(strict(content.schema) as Schema, value);
    assert.ok(isValid, `${about} ${ajv.errorsText()}: ${text.slice(0, 500)}`);
    if (response.ok) this.answered.add(`${method} ${template}`);
    return value as Readonly<Record<string, never>>;
  }

  /** Call every GET route with these values of its parameters. */
  async callAll(values: Readonly<Record<string, string>>): Promise<void> {
    for (const [template, { get }] of Object.entries(this.description.paths)) {
      if (get === undefined || get.responses[200]?.content?.['text/event-stream']) continue;
      const given = (get.parameters ?? []).filter((one) => one.required && one.in === 'query');
      const query = new URLSearchParams(
        given.map(({ name }): [string, string] => [name, values[name] ?? 'x']),
      );
      const fill = (_: string, name: string) => encodeURIComponent(values[name] ?? 'x');
      await this.call('GET', template, `${template.replace(/\{(\w+)\}/g, fill)}?${query}`);
    }
  }

  /** The routes without an answer that was described and a success. */
  get open(): readonly string[] {
    return Object.entries(this.description.paths).flatMap(([template, methods]) =>
      Object.entries(methods).flatMap(([method, { responses }]) => {
        const isJson = Object.values(responses).some(({ content }) => content?.['application/json']);
        const hasOwn = Object.entries(responses).some(
          ([status, { content }]) => /^2/.test(status) && content?.['application/json'],
        );
        const name = `${method.toUpperCase()} ${template}`;
        return isJson && hasOwn && !this.answered.has(name) ? [name] : [];
      }),
    );
  }
}

test('case b31: each route of every kind of server answers as OpenAPI describes it', {
  timeout: 180_000,
}, async () => {
  await using folder = await temporaryFolder();
  const own = (name: string) => ['--data', join(folder.path, name), '--port', '0', '--admin-tokens', token];
  await using registering = await serveHere<{ readonly registry: string }>([
    ...['registry', 'serve', ...own('registry'), '--registry-allow-hosts', '127.0.0.1'],
  ]);
  const { registry: registryUrl } = registering.ready;
  await using served = await openServedBroker(
    ...['--admin-tokens', token, '--registry', registryUrl, '--renewal', '1s', '--allow-hosts', '127.0.0.1'],
  );
  await using caching = await serveHere<{ readonly cache: string; readonly admin: string }>([
    ...['cache', 'serve', '--origin', served.url, '--admin-port', '0', ...own('cache')],
  ]);
  const [broker, gatherer, registry, cache] = await Promise.all(
    [served.url, served.gatherer, registryUrl, caching.ready.admin].map((url) => DescribedApi.at(url)),
  );
  assert.ok(broker && gatherer && registry && cache);
  const listed = (await until(
    'the Broker is listed',
    async () =>
      (await (await fetch(`${registryUrl}servers`)).json()) as {
        servers: readonly { id: string; serverId: string }[];
      },
    ({ servers }) => servers.length > 0,
  )) as { servers: readonly { id: string; serverId: string }[] };
  const found = (await broker.call('GET', '/search', '/search?q=city')) as unknown as {
    readonly hits: readonly { readonly oid: string; readonly url: string; readonly source: string }[];
  };
  const { oid = '', url: page = '' } = found.hits[0] ?? {};

  // The orders of an operator, each with its answer.
  const view = { query: 'tide' };
  for (const api of [broker, registry]) {
    await api.call('PUT', '/views/{name}', '/views/tides', view);
    const hook = await api.call('POST', '/views/{name}/webhooks', '/views/tides/webhooks', {
      url: 'https://www.example.org/',
    });
    await api.call('GET', '/views/{name}/webhooks', '/views/tides/webhooks');
    const at = `/views/tides/webhooks/${(hook as unknown as { id: string }).id}`;
    await api.call('POST', '/views/{name}/webhooks/{id}/resume', `${at}/resume`);
    await api.call('DELETE', '/views/{name}/webhooks/{id}', at);
    await api.call('POST', '/control/sources', '/control/sources', {
      source: 'ws://127.0.0.1:9/',
      paused: true,
    });
    const source = `/control/sources/${encodeURIComponent('ws://127.0.0.1:9/')}`;
    await api.call('PUT', '/control/sources/{source}', source, { intervalSeconds: 600 });
    await api.call('GET', '/control/sources', '/control/sources');
    await api.call('DELETE', '/control/sources/{source}', source);
    await api.call('POST', '/control/collect', '/control/collect');
    await api.call('PUT', '/control/settings/{key}', '/control/settings/broker.interval', { value: 300 });
    await api.call('POST', '/control/tokens', '/control/tokens', { name: 'jo', scopes: ['read'] });
    await api.call('GET', '/control/tokens', '/control/tokens');
    await api.call('DELETE', '/control/tokens/{name}', '/control/tokens/jo');
    await api.call('POST', '/search', '/search', { searches: [{ q: 'tide' }, { q: '' }] });
    for (const name of ['clean', 'compact', 'reindex'])
      await api.call('POST', `/control/${name}`, `/control/${name}`);
  }
  await broker.call('POST', '/objects/{oid}/check', `/objects/${oid}/check`);
  await broker.call('GET', '/search', '/search?q=tide&format=jsonl');
  await broker.call('GET', '/complete', '/complete?q=ti&format=suggestions');
  await broker.call('GET', '/views/{name}', '/views/tides.atom', undefined, 'application/atom+xml');
  await gatherer.call('PUT', '/annotations/{url}', `/annotations/${encodeURIComponent(page)}`, {
    fields: { Keywords: 'people' },
  });
  await gatherer.call('GET', '/annotations', '/annotations?format=soif');
  await broker.callAll({ oid, q: 'city', name: 'tides' });
  await broker.call('POST', '/control/deletions', '/control/deletions', { query: 'city', dryRun: false });
  await broker.call('GET', '/control/blocked', '/control/blocked');
  await broker.call('DELETE', '/control/blocked/{oid}', `/control/blocked/${oid}`);
  await broker.call('DELETE', '/views/{name}', '/views/tides');
  await gatherer.callAll({ oid, url: page });
  await gatherer.call('DELETE', '/annotations/{url}', `/annotations/${encodeURIComponent(page)}`);
  await gatherer.call('POST', '/annotations', '/annotations', '');

  const foreign = { type: 'broker', url: 'https://search.example.org/', name: 'A far Broker' };
  for (const end of ['', '/refusal']) {
    const held = await registry.call('POST', '/applications', '/applications', foreign);
    await registry.call('GET', '/control/applications', '/control/applications');
    const path = `/control/applications/{id}${end}`;
    await registry.call('POST', path, path.replace('{id}', (held as unknown as { id: string }).id));
    foreign.url = 'https://other.example.org/';
  }
  await registry.call('POST', '/control/applications', '/control/applications', {
    ...foreign,
    url: 'https://third.example.org/',
  });
  await registry.call('GET', '/federated', '/federated?q=tide');
  await registry.call('GET', '/search', '/search?q=*');
  for (const by of ['nearest', 'random'])
    await registry.call('GET', `/replicas/${by}`, `/replicas/${by}?list`);
  const { id: described = '', serverId = '' } = listed.servers[0] ?? {};
  await registry.call('GET', '/keys/{id}', `/keys/${serverId}`);
  await registry.callAll({ oid: described, q: '*', name: 'tides', id: described, url: served.url });
  const deletion = { oids: [described], dryRun: false };
  await registry.call('POST', '/control/deletions', '/control/deletions', deletion);
  await registry.call('DELETE', '/control/blocked/{oid}', `/control/blocked/${described}`);
  await registry.call('DELETE', '/views/{name}', '/views/tides');

  for (let request = 0; request < 3; request++) await (await fetch(`${caching.ready.cache}status`)).text();
  await cache.callAll({ url: '/status' });
  await cache.call('POST', '/purge', '/purge', { url: '/status', peers: true });

  assert.deepEqual(broker.open, []);
  assert.deepEqual(gatherer.open, []);
  // No description of a server is a table, and a publication needs a signature.
  assert.deepEqual(registry.open, [
    ...['GET /objects/{oid}/table', 'POST /objects/{oid}/check', 'POST /publish'],
  ]);
  assert.deepEqual(cache.open, []);
  for (const { description, url } of [broker, gatherer, registry, cache]) {
    assert.deepEqual(description.servers, [{ url: './', description: 'this server' }]);
    for (const [path, methods] of Object.entries(description.paths))
      for (const [method, { responses }] of Object.entries(methods)) {
        const about = `${method} ${path} at ${url}`;
        assert.ok(responses[429]?.content, about);
        const succeeds = Object.entries(responses).filter(([status]) => /^2/.test(status));
        assert.ok(
          succeeds.some(([, { content }]) => content !== undefined),
          `${about} has no answer`,
        );
        for (const [status, { content }] of Object.entries(responses))
          for (const [type, { schema }] of Object.entries(content ?? {}))
            assert.ok(isTelling(schema, type), `${about}: ${status} ${type} ${JSON.stringify(schema)}`);
      }
  }
});

/** Whether a schema of JSON says more than that there is an object or a list. */
function isTelling(schema: Schema, type: string): boolean {
  if (!/json/.test(type)) return schema.type === 'string';
  return ['$ref', 'properties', 'items', 'prefixItems', 'anyOf'].some((name) => name in schema);
}
