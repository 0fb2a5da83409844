import type { IdentitySecret, ServerId } from '../../soif/index.ts';
import type { Message } from '../../wire/index.ts';

// One round between a Gatherer and a Broker of garner 0.2, as it was recorded: of three objects, one was deleted and
// one was added. The key is made up for it.

const hex = (text: string) => new Uint8Array(Buffer.from(text, 'hex'));

export const recordedSecret: IdentitySecret = {
  serverId: 'Ag_6soVndz2NukInw4QyXg' as ServerId,
  privateKey: `-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIAHA9KkgDPIzsEkglXAsIYIhGtcKXfKaKceF7QqB07SQ
-----END PRIVATE KEY-----
`,
};

/** Seed of the epoch of the Gatherer's store. */
export const recordedSeed = 1;

export const recordedAsk: Message = {
  type: 'ask',
  q: hex('01a00087fb03037303b722897a393499df9320d24a320e'),
};

export const recordedAnswer: Message = {
  type: 'tell',
  s: hex('0503ac9725608b6e1486d43eb7d634217f61'),
  put: [
    [
      hex(
        '0198a446494c45b4687474703a2f2f6578616d706c652e6f72672f34a55469746c65c404666f7572ac54696d' +
          '652d746f2d4c697665c40433363030ab5570646174652d54696d65c40a31373030303030303035',
      ),
      1_700_000_005,
      hex(
        '71b0b9b68af09f3c3bc2339462dc87b6e669f185fe981b213fd7ea2e68aedf2a534a32a6b69b6be4849d0273' +
          'fb9866dd7a5b865355fbc2f64717214ca82a800b',
      ),
    ],
  ],
  gone: hex('7306be2ed8e0959eac3a29defb65631c'),
  lsn: 5,
  end: true,
  sig: hex(
    'e2f0c64b722c03f6f647cb2b61877861be231c72cfe8b7cdf039323044b6e8de87409a31ee61912d0c2497a4' +
      'ded735ed40852243fe005dc370e952ca5216950f',
  ),
};
