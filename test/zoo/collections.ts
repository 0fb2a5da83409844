import type { Exhibit } from './exhibit.ts';

const folder = 'mkdir t && cp "$SOURCES/hive.c" "$SOURCES/paper.md" t && cd t';

/** Archives, opened and packed; mail; tables. */
export const collections: readonly Exhibit[] = [
  {
    type: 'Archive',
    name: 'hive.7z',
    objects: 2,
    from: { made: `${folder} && 7z a -bd ../hive.7z hive.c paper.md`, by: ['7z'] },
    attributes: {
      Title: 'hive.c',
      'Programming-Language': 'C',
      Functions: 'count_bees\nmain',
      Imports: 'stdio.h',
    },
  },
  {
    type: 'Archive',
    name: 'hive.deb',
    packed: true,
    from: {
      made: 'mkdir -p p/DEBIAN p/usr/share/doc/hive && printf "Package: hive\\nVersion: 1.0\\nArchitecture: all\\nMaintainer: Ann Author <ann@example.org>\\nDescription: counts bees\\n" > p/DEBIAN/control && cp "$SOURCES/paper.md" p/usr/share/doc/hive && dpkg-deb --root-owner-group -b p hive.deb',
      by: ['dpkg-deb'],
    },
    attributes: { 'Member-Count': '3', Members: /control\.tar/, Extensions: /./, 'Unpacked-Size': /^\d+$/ },
  },
  {
    type: 'Tar',
    name: 'hive.tar',
    packed: true,
    from: { made: `${folder} && tar cf ../hive.tar hive.c paper.md`, by: [] },
    attributes: {
      'Member-Count': '2',
      'Unpacked-Size': '696',
      Extensions: 'c: 1\nmd: 1',
      Members: 'hive.c 251\npaper.md 445',
    },
  },
  {
    type: 'GNUCompressedTar',
    name: 'hive.tar.gz',
    packed: true,
    from: { made: `${folder} && tar czf ../hive.tar.gz hive.c paper.md`, by: [] },
    attributes: {
      'Member-Count': '2',
      'Unpacked-Size': '696',
      Extensions: 'c: 1\nmd: 1',
      Members: 'hive.c 251\npaper.md 445',
    },
  },
  {
    type: 'CompressedTar',
    name: 'hive.tar.Z',
    packed: true,
    from: { made: `${folder} && tar cf - hive.c paper.md | compress > ../hive.tar.Z`, by: ['compress'] },
    attributes: {
      'Member-Count': '2',
      'Unpacked-Size': '696',
      Extensions: 'c: 1\nmd: 1',
      Members: 'hive.c 251\npaper.md 445',
    },
  },
  {
    type: 'CompressedTar',
    name: 'hive.tar.Z',
    objects: 2,
    from: { made: `${folder} && tar cf - hive.c paper.md | compress > ../hive.tar.Z`, by: ['compress'] },
    attributes: {
      Title: 'hive.c',
      'Programming-Language': 'C',
      Functions: 'count_bees\nmain',
      Imports: 'stdio.h',
    },
  },
  {
    type: 'PCCompressed',
    name: 'hive.zip',
    packed: true,
    from: { made: `${folder} && zip -q ../hive.zip hive.c paper.md`, by: ['zip'] },
    attributes: {
      'Member-Count': '2',
      'Unpacked-Size': '696',
      Extensions: 'c: 1\nmd: 1',
      Members: 'hive.c 251\npaper.md 445',
    },
  },
  {
    type: 'ShellArchive',
    name: 'hive.shar',
    packed: true,
    from: { made: `${folder} && shar hive.c paper.md > ../hive.shar`, by: ['shar'] },
    attributes: {
      'Member-Count': '2',
      'Unpacked-Size': '696',
      Extensions: 'c: 1\nmd: 1',
      Members: 'hive.c 251\npaper.md 445',
    },
  },
  {
    type: 'SourceDistribution',
    name: 'hive-1.0.tar.gz',
    typeSet: true,
    from: {
      made: 'mkdir hive-1.0 && cp "$SOURCES/hive.c" hive-1.0 && cp "$SOURCES/paper.md" hive-1.0/README.md && pod2man --name=finder --section=1 "$SOURCES/tool.pod" hive-1.0/finder.1 && printf "# Builds the hive.\nall: hive\nhive: hive.o\n" > hive-1.0/Makefile && cp /usr/share/common-licenses/GPL-2 hive-1.0/COPYING && tar czf hive-1.0.tar.gz hive-1.0',
      by: ['pod2man', 'tar'],
    },
    attributes: {
      Package: 'hive',
      Version: '1.0',
      License: 'GPL-2.0',
      Languages: 'C: 1',
      Functions: 'count_bees\nmain',
      'Manual-Pages': 'finder(1) - find things where they lie',
      Synopsis: /^finder \[-v\] FILE/,
      'Make-Targets': 'all\nhive',
      'Member-Count': '5',
    },
  },
  {
    type: 'Directory',
    name: '',
    url: 'ftp://zoo.example/t/',
    from: { made: `${folder} && LC_ALL=C ls -l > ../listing`, by: [] },
    attributes: {
      'Member-Count': '2',
      'Unpacked-Size': '696',
      Extensions: 'c: 1\nmd: 1',
      Members: 'hive.c 251\npaper.md 445',
      Format: 'FTP listing (Unix)',
    },
  },
  {
    type: 'Mail',
    name: 'bees.eml',
    objects: 2,
    from: { made: 'python3 "$SOURCES/message.py" mail > bees.eml', by: ['python3'] },
    attributes: {
      Title: 'Bees in June — a report',
      From: 'Ann Author <ann@example.org>',
      To: /bob@example\.org/,
      Date: '1995-06-01T12:00:00.000Z',
      Attachments: /table\.csv/,
    },
  },
  {
    type: 'News',
    name: 'article',
    url: 'news:1@example.org',
    from: { made: 'python3 "$SOURCES/message.py" news > article', by: ['python3'] },
    attributes: {
      Title: 'Bees in June — a report',
      Newsgroups: 'rec.bees',
      Author: 'Ann Author',
      Date: '1995-06-01T12:00:00.000Z',
      'Message-Id': '1@example.org',
    },
  },
  {
    type: 'Data',
    name: 'debian.csv',
    from: { file: '/usr/share/distro-info/debian.csv', of: 'distro-info-data' },
    attributes: { Format: 'CSV', Rows: /^\d+$/, 'Column-Count': /^\d$/, Columns: /^codename: text/m },
  },
  {
    type: 'Data',
    name: 'hive.sqlite',
    from: {
      made: "sqlite3 hive.sqlite \"create table bees (name text primary key, legs integer); insert into bees values ('Maja', 6), ('Willi', 6); create index legs on bees (legs)\"",
      by: ['sqlite3'],
    },
    attributes: {
      Format: 'SQLite 3, utf-8',
      Tables: 'bees: 2',
      Columns: 'bees.name text\nbees.legs integer',
      Indexes: 'legs',
      Rows: '2',
    },
  },
  {
    type: 'JSON',
    name: 'bees.json',
    from: {
      made: 'ffmpeg -v error -f lavfi -i sine=440:duration=1 -metadata title="Song of Bees" bees.ogg && ffprobe -v error -of json -show_format -show_streams bees.ogg > bees.json',
      by: ['ffmpeg', 'ffprobe'],
    },
    attributes: {
      Format: 'JSON',
      Keys: 'streams\nformat',
      Values: /^\d+$/,
      Schema: /^streams\[\]\.codec_name: string$/m,
    },
  },
  {
    type: 'XML',
    name: 'paper.xml',
    from: { made: 'pandoc -s -t docbook5 -o paper.xml "$SOURCES/paper.md"', by: ['pandoc'] },
    attributes: {
      Title: 'Discovery of Things',
      'Author-1': 'Ann Author',
      'Author-2': 'Bob Writer',
      Format: 'DocBook',
      'Root-Element': 'article',
      Elements: /^row: 3$/m,
      'URL-References': 'https://example.org/page',
    },
  },
];
