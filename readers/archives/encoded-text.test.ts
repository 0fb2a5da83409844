import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodedBody } from './mime-part.ts';
import { withoutEncoded } from './uuencode.ts';

test('base64 ends at its padding, at a shorter line, or at what is no base64', () => {
  const text = 'Words of a harbour. '.repeat(12);
  const lined = (words: string) => Buffer.from(words).toString('base64').replace(/.{76}/g, '$&\n');
  const whole = lined(text);
  // Without padding the end shows only by the length of the last line.
  const unpadded = lined(text.slice(0, 231));
  const footers = [
    '\n_______________________________________________\nlist mailing list\nlist@x.example\n',
    '\n-- \nUnsubscribe\n',
    '\n\nUnsubscribe\nhttp://x.example/u\n',
    '\r\n****\r\nFooter\r\n',
    '\nDieser Fuß\n',
    '\nTo leave this list write to kim@x.example\n',
  ];
  for (const footer of footers) {
    assert.equal(decodedBody(Buffer.from(whole + footer, 'latin1'), 'base64').toString(), text, footer);
    const cut = decodedBody(Buffer.from(unpadded + footer, 'latin1'), 'base64').toString();
    assert.equal(cut, text.slice(0, 231), footer);
  }
  assert.equal(decodedBody(Buffer.from(whole), 'base64').toString(), text);
});

test('what is encoded in the text of a message is no text', () => {
  const full = `M${'A'.repeat(60)}`;
  const table: readonly (readonly [message: string, text: string])[] = [
    ['See\nbegin 644 a.txt\n+:&5L;&\\@=V]R;&0\n`\nend\nafter', 'See\nafter'],
    ['See\nbegin 644 a.txt\n+:&5L;&\\@=V]R;&0\n \nend\nafter', 'See\nafter'],
    ['See\nbegin 644 empty\nend\nafter', 'See\nafter'],
    [`See\nbegin 644 a.bin\n${full}\n${full}\n`, 'See'],
    [`Part 2\n${full}\n${full}\n+:&5L;&\\@=V]R;&0\n\`\nend\nafter`, 'Part 2\nafter'],
    ['See\nbegin-base64 644 a\naGVsbG8=\n====\nafter', 'See\nafter'],
    ['See\nbegin-base64 644 a\naGVsbG8=\nno end.', 'See\nno end.'],
    ['See\n=ybegin line=128 size=3 name=a\n\u00e9*=\n=yend size=3\nafter', 'See\nafter'],
    [
      '-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA1\n\nSigned\n-----BEGIN PGP SIGNATURE-----\nVersion: 1\n\niQ==\n=ab\n-----END PGP SIGNATURE-----\nafter',
      '\nSigned\nafter',
    ],
    // Words that only begin so.
    ['begin 644 words\nof a poem in two lines', 'begin 644 words\nof a poem in two lines'],
    ['We begin 644 tides\nend', 'We begin 644 tides\nend'],
    ['MANY LETTERS', 'MANY LETTERS'],
  ];
  for (const [message, text] of table) assert.equal(withoutEncoded(message).trimEnd(), text, message);
});
