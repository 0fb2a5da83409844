import assert from 'node:assert/strict';
import { test } from 'node:test';
import { folderName } from './site.ts';

test('a folder is called by its own name, with its parent where that says nothing', () => {
  assert.equal(folderName('/srv/handbook'), 'handbook');
  assert.equal(folderName('/usr/share/doc/python3.11/html'), 'python3.11/html');
  assert.equal(folderName('/home/ada/project/docs'), 'project/docs');
  assert.equal(folderName('/html'), 'html');
  assert.equal(folderName('/'), '/');
});
