import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock, systemClock } from '../kernel/index.ts';
import type { Route } from './route.ts';
import { serveHttp } from './server.ts';
import { type HealthCheck, healthReport } from './service-routes.ts';

const limit = { timeout: 20_000 };

const routes: Route[] = [
  {
    method: 'GET',
    path: '/objects/:oid',
    summary: 'One summary object',
    scope: 'public',
    parameters: [
      { name: 'oid', in: 'path', describe: 'its OID', schema: { type: 'string' } },
      { name: 'limit', in: 'query', describe: 'how many', schema: { type: 'integer', minimum: 1 } },
    ],
    response: { type: 'object', required: ['oid'] },
    handle: () => ({}),
  },
  { method: 'DELETE', path: '/objects/:oid', summary: 'Forget it', scope: 'admin', handle: () => ({}) },
  { method: 'GET', path: '/files/*', summary: 'Files', scope: 'read', handle: () => ({}) },
  { method: 'GET', path: '/', summary: 'Page', scope: 'public', hidden: true, handle: () => ({}) },
];

function serve(health: readonly HealthCheck[] = []) {
  return serveHttp({
    routes,
    port: 0,
    clock: systemClock,
    title: 'Garner Broker',
    version: '0.1.0',
    health,
    metrics: { contentType: 'text/plain; version=0.0.4; charset=utf-8', text: () => 'up 1\n' },
  });
}

interface Operation {
  operationId: string;
  summary: string;
  security: unknown[];
  parameters?: { name: string; in: string; required: boolean; description: string; schema: object }[];
  responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>;
}

interface Document {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object>; securitySchemes: Record<string, object> };
}

test('the OpenAPI description has the structure that OpenAPI 3.1 requires', limit, async () => {
  await using server = await serve();
  const response = await fetch(`${server.url}openapi.json`);
  assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8');
  const document = (await response.json()) as Document;
  assert.equal(document.openapi, '3.1.0');
  assert.deepEqual(document.info, { title: 'Garner Broker', version: '0.1.0' });
  assert.deepEqual(Object.keys(document.paths).sort(), [
    '/files/{rest}',
    '/health',
    '/metrics',
    '/objects/{oid}',
  ]);
  const ids: string[] = [];
  for (const [path, operations] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(operations)) {
      const where = `${method} ${path}`;
      assert.match(method, /^(get|post|put|delete)$/);
      ids.push(operation.operationId);
      assert.ok(operation.summary.length > 0, where);
      const named = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
      assert.deepEqual(declared.map(({ name }) => name).sort(), named.sort(), where);
      for (const parameter of declared) assert.equal(parameter.required, true, where);
      assert.ok(operation.responses['200'] && operation.responses.default, where);
      for (const { description } of Object.values(operation.responses)) assert.ok(description, where);
      for (const requirement of operation.security)
        for (const name of Object.keys(requirement as object))
          assert.ok(document.components.securitySchemes[name], where);
    }
  assert.equal(new Set(ids).size, ids.length, 'operation ids are unique');
  assert.deepEqual(document.paths['/objects/{oid}']?.delete?.security, [{ token: [] }]);
  assert.deepEqual(document.paths['/objects/{oid}']?.get?.security, []);
  const references = JSON.stringify(document).match(/"\$ref":"[^"]+"/g) ?? [];
  for (const reference of new Set(references)) assert.equal(reference, '"$ref":"#/components/schemas/Error"');
  assert.ok(document.components.schemas.Error);
});

test('health is 200 when all is well or degraded, and 503 when one check fails', limit, async () => {
  const well: HealthCheck = { name: 'store', check: () => ({ state: 'pass', detail: '12 objects' }) };
  const warns: HealthCheck = { name: 'sources', check: () => ({ state: 'warn' }) };
  const thrown: HealthCheck = {
    name: 'engine',
    check: async () => {
      throw new Error('secret path /x');
    },
  };
  await using good = await serve([well]);
  const ok = await fetch(`${good.url}health`);
  assert.equal(ok.status, 200);
  assert.equal(ok.headers.get('cache-control'), 'no-store');
  const store = { ok: true, state: 'pass', detail: '12 objects' };
  assert.deepEqual(await ok.json(), { status: 'ok', checks: { store } });
  await using less = await serve([well, warns]);
  const degraded = await fetch(`${less.url}health`);
  assert.equal(degraded.status, 200);
  assert.deepEqual(await degraded.json(), {
    status: 'degraded',
    checks: { store, sources: { ok: true, state: 'warn' } },
  });
  await using bad = await serve([well, warns, thrown]);
  const failing = await fetch(`${bad.url}health`);
  assert.equal(failing.status, 503);
  const text = await failing.text();
  assert.equal(JSON.parse(text).status, 'failing');
  assert.doesNotMatch(text, /secret/);
});

test('a check that hangs counts as failed after two seconds', limit, async () => {
  const clock = new ManualClock();
  let given: AbortSignal | undefined;
  const hangs: HealthCheck = {
    name: 'peer',
    check: (signal) => {
      given = signal;
      return new Promise(() => {});
    },
  };
  const report = healthReport([hangs], clock);
  clock.advance(1_999);
  assert.equal(given?.aborted, false);
  clock.advance(1);
  assert.deepEqual(await report, {
    status: 'failing',
    checks: { peer: { ok: false, state: 'fail', detail: 'took too long' } },
  });
  assert.equal(given?.aborted, true);
});

test('metrics come from their provider with its content type', limit, async () => {
  await using server = await serve();
  const response = await fetch(`${server.url}metrics`);
  assert.equal(response.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
  assert.equal(await response.text(), 'up 1\n');
});

test('a bare server has the given routes alone', limit, async () => {
  const all: Route = {
    method: 'GET',
    path: '/*',
    summary: 'A site',
    scope: 'public',
    handle: ({ params }) => ({ body: `file ${params['*']}` }),
  };
  await using server = await serveHttp({
    routes: [all],
    port: 0,
    clock: systemClock,
    title: 'T',
    version: '1',
    bare: true,
  });
  for (const path of ['', 'health', 'openapi.json', 'a/b'])
    assert.equal(await (await fetch(server.url + path)).text(), `file ${path}`);
});
