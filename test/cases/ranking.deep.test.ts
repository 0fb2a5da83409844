import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rankedFolder } from './ranked-folder.ts';

const limit = { timeout: 60_000 };

const repeated = (text: string, times: number) => Array.from({ length: times }, () => text).join(' ');

/** Pages by their names: a title each, and a text. */
const pages = (all: Readonly<Record<string, readonly [title: string, text: string]>>) =>
  Object.fromEntries(Object.entries(all).map(([name, [title, text]]) => [name, `# ${title}\n\n${text}\n`]));

test('case b01: a title that is the query comes before pages that repeat its words', limit, async () => {
  const rivals = Array.from({ length: 6 }, (_, n) => [
    [
      `gsx${n}.md`,
      [
        `Tutorial ${n}: getting this and that`,
        repeated(
          'Getting started with getting started. A getting started guide for getting started people.',
          3,
        ),
      ],
    ] as const,
    [`ypx${n}.md`, [`Ypsilanti Ypsilanti district ${n}`, 'Ypsilanti things in Ypsilanti.']] as const,
  ]);
  await using folder = await rankedFolder(
    pages({
      'gs.md': ['Getting started', 'Welcome. This page is the beginning for everyone.'],
      'yp.md': ['Ypsilanti', 'A city.'],
      ...Object.fromEntries(rivals.flat()),
    }),
  );
  for (const [query, name, total] of [
    ['getting started', 'gs.md', 7],
    ['"getting started"', 'gs.md', 7],
    ['GETTING Started!', 'gs.md', 7],
    ['Ypsilanti', 'yp.md', 7],
  ] as const) {
    const names = await folder.names(query);
    assert.deepEqual([names[0], names.length], [name, total], query);
  }
  const why = await folder.why('getting started', 'gs.md');
  assert.deepEqual([why.rank, why.typed], [1, { place: 'title', score: 90 }]);
});

test(
  'site names, section numbers and headings: the page with that title, then that heading',
  limit,
  async () => {
    const text = repeated('Window functions and window functions again, vacuum and vacuum.', 5);
    await using folder = await rankedFolder(
      pages({
        'a.md': ['Notes on queries', `${text}\n\n## Window functions\n\nOne.`],
        'b.md': ['3.5. Window Functions - The Manual', 'Rows.'],
        'c.md': ['All about window functions and functions of a window', text],
        'd.md': ['The Manual | Vacuum', 'Rows.'],
        'e.md': ['vacuum(8)', 'Rows.'],
        'f.md': ['.NET', 'Rows.'],
        'g.md': ['Net', repeated('A net for fish: net and net.', 9)],
        'h.md': ['Running shoes', 'Shoe running, running shoe.'],
        'i.md': ['Run shoe', repeated('Running shoes, running shoes.', 9)],
      }),
    );
    assert.deepEqual((await folder.names('window functions')).slice(0, 3), ['b.md', 'a.md', 'c.md']);
    assert.deepEqual(new Set((await folder.names('vacuum')).slice(0, 2)), new Set(['d.md', 'e.md']));
    assert.deepEqual((await folder.names('.NET')).slice(0, 1), ['f.md']);
    assert.deepEqual((await folder.names('net')).slice(0, 1), ['g.md']);
    assert.deepEqual((await folder.names('running shoes')).slice(0, 2), ['h.md', 'i.md']);
    // What only restricts a query, and a field that is the title, leave it the words that were typed.
    for (const q of [
      'filetype:md',
      '-moon',
      'after:2000',
      'before:2100',
      'inurl:md',
      '(filetype:md OR filetype:txt)',
    ])
      assert.deepEqual((await folder.names(`running shoes ${q}`)).slice(0, 2), ['h.md', 'i.md'], q);
    for (const q of ['intitle:vacuum', 'title:"vacuum"'])
      assert.deepEqual(new Set((await folder.names(q)).slice(0, 2)), new Set(['d.md', 'e.md']), q);
    assert.equal((await folder.why('intitle:net', 'g.md')).typed?.place, 'title');
  },
);

test(
  'case b02: the form that was typed comes before other forms of its stem, and quotes mean it',
  limit,
  async () => {
    await using folder = await rankedFolder(
      pages({
        'import.md': ['Importing data', 'Import, importing and imports of files.'],
        'important.md': ['Important dates', 'Important things are important.'],
        'new.md': ['New things', 'New shoes and new hats.'],
        'news.md': ['News', 'Daily news from the press.'],
        'organ.md': ['Organ music', 'An organ in a church.'],
        'organization.md': ['Organization chart', 'Our organization and organizations.'],
        'univ.md': ['University ranking', 'The university of the city.'],
        'universe.md': ['Universe expansion', 'The universe is expanding; universal law.'],
        'http.md': ['Plain HTTP', 'Requests by http and http again: http.'],
        'https.md': ['Secure requests', 'Use https where you can.'],
        'general.md': ['Rules in general', 'General rules, general hints: general.'],
        'generate.md': ['Keys', 'How to generate one.'],
      }),
    );
    for (const [typed, name, other] of [
      ['news', 'news.md', 'new.md'],
      ['new', 'new.md', 'news.md'],
      ['university', 'univ.md', 'universe.md'],
      ['universe', 'universe.md', 'univ.md'],
      ['organ', 'organ.md', 'organization.md'],
      ['organization', 'organization.md', 'organ.md'],
      ['import', 'import.md', 'important.md'],
      ['important', 'important.md', 'import.md'],
      ['https', 'https.md', 'http.md'],
      ['http', 'http.md', 'https.md'],
      ['generate', 'generate.md', 'general.md'],
    ] as const) {
      assert.deepEqual(await folder.names(typed), [name, other], typed);
      assert.deepEqual(await folder.names(`"${typed}"`), [name], `"${typed}"`);
      const unwanted = other === 'univ.md' ? 'university' : other.slice(0, -'.md'.length);
      for (const q of [`${typed} -${unwanted}`, `+${typed} -${unwanted}`])
        assert.deepEqual(await folder.names(q), [name], q);
    }
    const { understood, notes } = await folder.search('news -new');
    assert.equal(understood, 'news AND NOT "new"');
    assert.match(notes.join(), /only "new" itself is excluded/);
    assert.deepEqual(await folder.names('"organization chart"'), ['organization.md']);
    assert.deepEqual(await folder.names('"organ chart"~0'), ['organization.md']);
  },
);

test(
  'words in the order of the query come before the same words scattered, common words too',
  limit,
  async () => {
    const common = repeated('To be is to be, or to be not, not or to.', 9);
    await using folder = await rankedFolder(
      pages({
        'soliloquy.md': ['A soliloquy', 'He said: to be or not to be, that was it. And much else besides.'],
        'common.md': ['Small words', common],
        'band.md': ['Bands', 'Songs by The Who from England.'],
        'who.md': ['Names', repeated('Who is the one who is the other who?', 9)],
        'order.md': [
          'Notes',
          'An essay of machine learning in practice, with more words than the other page has.',
        ],
        'scattered.md': ['Learning', 'Learning the machine: a learning of one machine.'],
      }),
    );
    assert.equal((await folder.names('to be or not to be'))[0], 'soliloquy.md');
    assert.equal((await folder.names('the who'))[0], 'band.md');
    assert.equal((await folder.names('machine learning'))[0], 'order.md');
  },
);

test(
  'a title that begins with a query comes first, though its last word has one letter yet',
  limit,
  async () => {
    const frequent = Array.from({ length: 40 }, (_, n) => `d${String.fromCharCode(97 + (n % 26))}${n}`).join(
      ' ',
    );
    const rivals = Array.from(
      { length: 3 },
      (_, n) => [`rival${n}.md`, ['Notes', `Destroying a ${frequent}.`]] as const,
    );
    await using folder = await rankedFolder(
      pages({
        'target.md': ['Destroying a database', 'Rows.'],
        'heading.md': ['Chores', 'Rows.\n\n## Destroying a dam\n\nStones.'],
        ...Object.fromEntries(rivals),
      }),
    );
    const { hits } = await folder.search('destroying a d', { typing: '1' });
    const names = hits.map(({ url }) => url.split('/').at(-1));
    assert.deepEqual([names.slice(0, 2), names.length], [['target.md', 'heading.md'], 5]);
    const excluded = await folder.search('-database destroying a d', { typing: '1' });
    assert.ok(excluded.hits.every(({ url }) => !url.endsWith('target.md')));
  },
);
