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
