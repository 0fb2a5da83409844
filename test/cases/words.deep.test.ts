import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rankedFolder } from './ranked-folder.ts';

const limit = { timeout: 90_000 };

const page = (language: string, title: string, text: string) =>
  `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${title}</title></head><body><h1>${title}</h1>
<p>${text}</p></body></html>`;

test(
  'case b06, case b08, case b15, case b26: letters fold, one character is found, short words stay',
  limit,
  async () => {
    await using folder = await rankedFolder({
      'lang.html': page(
        'en',
        'Straße in English page',
        'Visit Zürich, Köln and Malmö; Łukasz, Đorđe, Øresund, œuvre, Þór, ħobża, ıstakoz, İstanbul. A party 🎉!',
      ),
      'no.html': page(
        'no',
        'Blåbærsyltetøy på Ærø',
        'Vi spiser blåbærsyltetøy på øya og har det gøy med smørbrød og ikke noe annet enn det som er i huset.',
      ),
      'pl.html': page('pl', 'Łódź i Wrocław', 'Zażółć gęślą jaźń w mieście Łódź, gdzie jedzą pierogi.'),
      'vi.html': page('vi', 'Hướng dẫn Hà Nội', 'Đường phố Hà Nội và món phở rất ngon.'),
      'fr.html': page('fr', "L'avion d'Hélène", "Son cœur était attendu, et elle n'avait pas d'œuvre."),
      'zh.html': page('zh', '北京大学图书馆', '中华人民共和国的首都是北京。物联网正在改变世界。'),
      'ja.html': page(
        'ja',
        '東京都の観光案内',
        '東京スカイツリーへ行くにはコンピューターで予約してください。',
      ),
      'de.html': page(
        'de',
        'Der Bahnhof',
        'Die Straße zum Bahnhof ist groß und wird für die Mitarbeiter in München geöffnet. Die Häuser sind schön.',
      ),
      'net.html': page(
        'en',
        'Fishing net repair',
        'How to mend a net used at sea, with core threads, zero cost.',
      ),
      'width.html': page('en', 'Joiner', 'The zero width joiner. With it, with them.'),
      'with.html': page('en', 'With', 'with zero with one with two'),
    });
    const total = async (q: string) =>
      (await folder.search(q)).hits.map(({ url }) => url.split('/').at(-1)).sort();
    for (const [query, ...names] of [
      ['lodz', 'pl.html'],
      ['LODZ', 'pl.html'],
      ['lukasz', 'lang.html'],
      ['duong', 'vi.html'],
      ['dorde', 'lang.html'],
      ['oresund', 'lang.html'],
      ['aero', 'no.html'],
      ['coeur', 'fr.html'],
      ['oeuvre', 'fr.html', 'lang.html'],
      ['thor', 'lang.html'],
      ['hobza', 'lang.html'],
      ['istakoz', 'lang.html'],
      ['ISTANBUL', 'lang.html'],
      ['istanbul', 'lang.html'],
      ['blabaersyltetoy', 'no.html'],
      ['strasse', 'de.html', 'lang.html'],
      ['🎉', 'lang.html'],
      ['🚀'],
      ['京', 'ja.html', 'zh.html'],
      ['東', 'ja.html'],
      ['muenchen', 'de.html'],
      ['haeuser', 'de.html'],
    ] as const) {
      assert.deepEqual(await total(query), names, query);
      assert.equal((await folder.search(query)).corrected, null, query);
    }
    for (const query of ['CORS', 'cors', 'MENDT', 'x-mendd']) {
      const { suggestion, corrected } = await folder.search(query);
      assert.deepEqual([suggestion, corrected], [null, null], query);
    }
    assert.equal((await folder.search('zero width')).suggestion, null);
    assert.equal((await folder.search('Bahnhoff')).corrected, 'bahnhof');
    const marked = (await folder.search('lodz')).hits[0];
    assert.deepEqual(
      marked?.titleMatches.map(([start, end]) => marked.title.slice(start, end)),
      ['Łódź'],
    );
  },
);

test(
  'case b09, case b10, case b11: a word is found by its parts, joined, and without its v',
  limit,
  async () => {
    await using folder = await rankedFolder({
      'eth.md': '# RPC\n\nCall eth_sendRawTransaction with data.\n',
      'ident.md':
        '# Identifiers\n\nCall `max_connection_pool` or `getUserByEmailAddress()` and set `HTTPServerError`, see `X-Forwarded-For`.\n',
      'fern.md': '# Athyrium filix-femina\n\nA fern.\n',
      'gpt3.md': '# GPT-3 models\n\nGPT-3 is large.\n',
      'hyph.md':
        '# Wi-Fi and e-mail setup\n\nOur state-of-the-art wi-fi needs re-authentication by e-mail. Co-operate with the T-shirt vendor.\n',
      'hyph2.md': '# Wifi and email setup\n\nOur wifi needs email. Cooperate with tshirt vendor.\n',
      'law.md': '# Law-Breakers\n\nA comic.\n',
      'ver.md': '# Release notes\n\nVersion v1.2.3 fixes CVE-2021-44228. Upgrade from 1.2.4-beta.1.\n',
      'units.md':
        "# Parcels\n\nA parcel of 10kg. A disk of 5 GB. O'Reilly wrote it, and John's friend didn't.\n",
    });
    for (const [query, ...names] of [
      ['user', 'ident.md'],
      ['email address', 'ident.md'],
      ['"email address"', 'ident.md'],
      ['getUserByEmailAddress', 'ident.md'],
      ['server error', 'ident.md'],
      ['RawTransaction', 'eth.md'],
      ['eth_send', 'eth.md'],
      ['wifi', 'hyph.md', 'hyph2.md'],
      ['wi-fi', 'hyph.md', 'hyph2.md'],
      ['tshirt', 'hyph.md', 'hyph2.md'],
      ['t-shirt', 'hyph.md', 'hyph2.md'],
      ['cooperate', 'hyph.md', 'hyph2.md'],
      ['co-operate', 'hyph.md', 'hyph2.md'],
      ['reauthentication', 'hyph.md'],
      ['lawbreakers', 'law.md'],
      ['Law-Breakers', 'law.md'],
      ['filixfemina', 'fern.md'],
      ['gpt3', 'gpt3.md'],
      ['gpt-3', 'gpt3.md'],
      ['1.2.3', 'ver.md'],
      ['v1.2.3', 'ver.md'],
      ['v1.2.4', 'ver.md'],
      ['10 kg', 'units.md'],
      ['10kg', 'units.md'],
      ['5GB', 'units.md'],
      ['oreilly', 'units.md'],
      ['John’s friends', 'units.md'],
      ["Parcel's", 'units.md'],
      ['didnt', 'units.md'],
    ] as const) {
      const found = await folder.search(query);
      const named = found.hits.map(({ url }) => url.split('/').at(-1)).sort();
      assert.deepEqual([named, found.corrected, found.suggestion], [names, null, null], query);
    }
    const [typed, other] = await folder.names('wifi');
    assert.deepEqual([typed, other], ['hyph2.md', 'hyph.md']);
    const hit = (await folder.search('user')).hits[0];
    assert.deepEqual(
      hit?.matches.map(([start, end]) => hit.snippet.slice(start, end)),
      ['getUserByEmailAddress'],
    );
  },
);
