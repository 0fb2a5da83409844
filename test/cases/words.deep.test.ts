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
        "# Parcels\n\nA parcel of 10kg. A disk of 5 GB. O'Reilly wrote it, and John's friend didn't. It has 1,000 parts, or 20000.\n",
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
      ['1000 parts', 'units.md'],
      ['1,000', 'units.md'],
      ['20,000', 'units.md'],
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

test(
  'case b26, case b15: a word that no page has is found as the beginning or a part of words',
  limit,
  async () => {
    await using folder = await rankedFolder({
      'beitraege.html': page(
        'de',
        'Donaudampfschifffahrtsgesellschaft',
        'Die Straße ist groß, und die Fußgängerzone in München wird für die Krankenversicherungsbeiträge der Mitarbeiter geöffnet.',
      ),
      'steuer.html': page(
        'de',
        'Die Steuer',
        'Der Solidaritätszuschlag und die Einkommensteuererklärung sind da.',
      ),
      'mail.html': page('en', 'Mail', 'Then the e-fail of the server, and an e-fail again.'),
      'park.html': page('en', 'The park', 'A playground for children in the park of the town.'),
    });
    const found = async (q: string) => {
      const { hits, notes, corrected, relaxed } = await folder.search(q);
      const names = hits.map(({ url }) => url.split('/').at(-1));
      return { names, note: notes.join('; '), corrected, relaxed };
    };
    for (const [query, name, note] of [
      ['fußgänger', 'beitraege.html', 'words that begin with it'],
      ['fussgaenger münchen', 'beitraege.html', 'words that begin with "fussgaenger"'],
      ['Krankenversicherung Mitarbeiter', 'beitraege.html', 'words that begin with "Krankenversicherung"'],
      ['Krankenversicherung ', 'beitraege.html', 'words that begin with "Krankenversicherung"'],
      ['beitrag', 'beitraege.html', 'words that contain "beitrag"'],
      ['Beiträgen', 'beitraege.html', 'words that contain "Beiträgen"'],
      ['dampfschiff gesellschaft', 'beitraege.html', 'words that contain "dampfschiff" and "gesellschaft"'],
      ['zuschlag', 'steuer.html', 'words that contain "zuschlag"'],
      ['Steuererklärung', 'steuer.html', 'words that contain "Steuererklärung"'],
      ['play ', 'park.html', 'words that begin with "play"'],
    ] as const) {
      const { names, note: said, ...others } = await found(query);
      assert.deepEqual({ names, ...others }, { names: [name], corrected: null, relaxed: false }, query);
      assert.ok(said.includes(note), `${query}: ${said}`);
    }
    // Parts of few letters, quoted words, and words of an exact search stay as they are.
    for (const query of ['lay ', 'rund', '"zuschlag"'])
      assert.deepEqual((await found(query)).names, [], query);
    assert.equal((await folder.search('zuschlag', { exact: '1' })).total, 0);
    const marked = (await folder.search('beitrag')).hits[0];
    assert.deepEqual(
      marked?.matches.map(([start, end]) => marked.snippet.slice(start, end)),
      ['Krankenversicherungsbeiträge'],
    );
    for (const query of ['e-mail', 'E-Mail', 'the e-mail'])
      assert.deepEqual(
        [(await folder.search(query)).suggestion, (await found(query)).corrected],
        [null, null],
        query,
      );
  },
);

test('case b29: a file name that is the query is found, and comes near the top', limit, async () => {
  const other = (title: string, text: string) => `# ${title}\n\n${text}\n`;
  await using folder = await rankedFolder({
    'cli.md': other('The garner command: every verb', 'Commands and their flags.'),
    'customise.md': other('Making the Gatherer yours', 'Rules go into a file.'),
    'config.md': other('Configuration', 'Each setting has a name; config files are read once.'),
    'getting_started.md': other('First steps', 'Begin here.'),
    'release notes-2024.html': page('en', 'What is new', 'Changes of the year.'),
    'guide/upgrade/index.html': page('en', 'From one version to the next', 'Stop it, then start it again.'),
    'a.md': other('Notes', 'The cli, the cli and the config and the config of config, and a cli again.'),
    'b.md': other('More notes', 'A cli for the config. Upgrade, upgrade.'),
    'c.md': other('Other notes', 'config config config cli cli cli upgrade'),
    'reader-of-paragliding.md': other('A page', 'Nothing of it in the text.'),
  });
  for (const [query, name] of [
    ['cli', 'cli.md'],
    ['CLI', 'cli.md'],
    ['cli.md', 'cli.md'],
    ['config', 'config.md'],
    ['customise', 'customise.md'],
    ['getting started', 'getting_started.md'],
    ['upgrade', 'index.html'],
    ['release notes 2024', 'release notes-2024.html'],
  ] as const)
    assert.equal((await folder.names(query))[0], name, query);
  assert.equal((await folder.names('cli')).length, 4);
  assert.deepEqual((await folder.why('cli', 'cli.md')).typed, { place: 'file-name', score: 35 * (16 / 17) });
  assert.deepEqual(await folder.names('reader paraglidings'), ['reader-of-paragliding.md']);
  const { hits, notes } = await folder.search('paragliding');
  assert.deepEqual(
    hits.map(({ url }) => url.split('/').at(-1)),
    ['reader-of-paragliding.md'],
  );
  assert.match(notes.join(), /no result has these words in its text; the names of these files have them/);
  for (const query of ['html', '"paragliding"', 'cli -config title:zzz', 'index'])
    assert.deepEqual(await folder.names(query), [], query);
  assert.ok(!(await folder.names('cli -verb')).includes('cli.md'));
  assert.equal((await folder.search('customise', { exact: '1' })).total, 0);
});
