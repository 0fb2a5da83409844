import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../kernel/index.ts';
import { openBench } from '../testing/object-cache.ts';
import { exchange } from '../testing/raw-client.ts';
import { acceleratedHosts } from './accelerated-hosts.ts';
import { openHttpDoor } from './http-door.ts';

test("a client's fields for another host, target or method do not change the answers of others", async () => {
  const said = [
    ...[
      'X-Forwarded',
      'X-Forwarded-Host',
      'X-Forwarded-PathBase',
      'X-Forwarded-Whatever',
      'X-Host',
      'X_Forwarded_Host',
    ],
    ...[
      'X_Forwarded_Proto',
      'X-Original-URL',
      'X-Original-URI',
      'X-Original-Host',
      'X-Rewrite-URL',
      'X-Rewrite-Any',
    ],
    ...['X-HTTP-Method-Override', 'X-HTTP-Host-Override', 'X-Script-Name', 'X-Scheme', 'Front-End-Https'],
  ];
  // An origin that believes all of it, as many do.
  await using bench = await openBench((request, response) => {
    const believed = [...said.map((name) => request.headers[name.toLowerCase()]), request.headers.forwarded];
    response.writeHead(200, { 'Cache-Control': 'max-age=60' }).end(`links to ${believed.join(' ')}`);
  });
  await using door = await openHttpDoor({
    port: 0,
    clock: systemClock,
    pseudonym: 'test',
    answer: (request) => bench.opened.cache.answer(request),
    accelerator: acceleratedHosts([bench.url('')]),
  });
  const ask = (path: string, host: string, more = '') =>
    exchange(door, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${more}\r\n`);
  for (const name of said) {
    await ask(`/${name}`, 'www.example', `${name}: evil.example\r\n`);
    assert.doesNotMatch(await ask(`/${name}`, 'www.example'), /evil/, name);
  }
  await ask('/host', 'evil.example');
  assert.doesNotMatch(await ask('/host', 'www.example'), /evil/);
  await ask('/forwarded', 'www.example', 'Forwarded: for=192.0.2.1;host=evil.example\r\n');
  assert.doesNotMatch(await ask('/forwarded', 'www.example'), /evil/);
  assert.equal(bench.asked.length, said.length + 2);
});

test("a client's spelling of a host does not change the answers of others", async () => {
  await using bench = await openBench((request, response) => {
    const reported = `links to ${request.headers.host} ${request.headers.forwarded}`;
    response.writeHead(200, { 'Cache-Control': 'max-age=60' }).end(reported);
  });
  for (const passHost of [false, true]) {
    await using door = await openHttpDoor({
      ...{ port: 0, clock: systemClock, pseudonym: 'test' },
      answer: (request) => bench.opened.cache.answer(request),
      accelerator: acceleratedHosts([`www.example=${bench.url('')}`], { passHost }),
    });
    const ask = (target: string, host: string) =>
      exchange(door, `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    const wanted = /host="www\.example";proto=http\r?$/m;
    for (const [at, target, host] of [
      [0, '/0', 'WWW.Example'],
      [1, '/1', 'www.example:80'],
      [2, 'http://WWW.example/2', 'evil.example'],
      ...(passHost ? [] : [[3, '/3', 'www.example:1337'] as const]),
    ] as const) {
      const count = bench.asked.length;
      assert.match(await ask(target, host), wanted, `${passHost} ${host}`);
      assert.match(await ask(`/${at}`, 'www.example'), wanted);
      assert.equal(bench.asked.length, count + 1);
    }
  }
});

test("responses that vary by the client's address are distinguished by it, including earlier addresses", async () => {
  await using bench = await openBench((request, response) => {
    const fields = { 'Cache-Control': 'max-age=60', Vary: 'X-Forwarded-For, X-Real-IP' };
    const { 'x-forwarded-for': chain, 'x-real-ip': real } = request.headers;
    response.writeHead(200, fields).end(`<${chain} ${real}>`);
  });
  await using door = await openHttpDoor({
    ...{ port: 0, clock: systemClock, pseudonym: 'test' },
    answer: (request) => bench.opened.cache.answer(request),
    accelerator: acceleratedHosts([bench.url('')]),
  });
  const ask = (more: string) =>
    exchange(door, `GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${more}\r\n`);
  for (const more of ['', 'X-Real-IP: 192.0.2.9\r\n'])
    assert.match(await ask(more), /<127\.0\.0\.1 undefined>/);
  assert.equal(bench.asked.length, 1, 'nothing is reported about removed fields');
  for (let times = 0; times < 2; times += 1)
    assert.match(await ask('X-Forwarded-For: 192.0.2.1\r\n'), /<192\.0\.2\.1, 127\.0\.0\.1 undefined>/);
  assert.equal(bench.asked.length, 2);
});
