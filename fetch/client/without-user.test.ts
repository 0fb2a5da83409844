import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutUser } from '../errors.ts';
import { FtpClient } from '../file-protocols/ftp-client.ts';
import { GopherClient } from '../file-protocols/gopher-client.ts';
import { HttpClient } from '../http/http-client.ts';

test('the user name and password of a URL are not repeated, and nothing else is lost', () => {
  const same = ['https://h/a@b', 'https://h/?u=a@b', 'mailto:a@b', 'nonsense', 'https://h:80/#x@y'];
  for (const url of same) assert.equal(withoutUser(url), url);
  const shown = [
    'https://u:p@h/x',
    'https://u@h/x',
    'https://u:p@q@h/x',
    'https:\\\\u:p@h/x',
    ' https:u:p@h/x',
  ];
  for (const url of shown) assert.match(withoutUser(url), /^\s*https:[\\/]*h\/x$/, url);
});

test('a URL with a password is refused without showing it', async () => {
  await using http = new HttpClient({ userAgent: 'Garner/test' });
  await using ftp = new FtpClient();
  const gopher = new GopherClient();
  const fetches = [
    http.fetch({ url: 'https://anna:s3cret@example.org/x' }),
    ftp.fetch({ url: 'ftp://anna:s3cret@example.org/x' }),
    gopher.fetch({ url: 'gopher://anna:s3cret@example.org/0x' }),
  ];
  for (const fetched of fetches)
    await assert.rejects(fetched, (error: Error) => {
      assert.ok(!JSON.stringify([error.message, error]).includes('s3cret'));
      return 'code' in error && error.code === 'FETCH_BAD_URL';
    });
});
