// Real files of Debian's packages, truncated and damaged: their readers give the readable parts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { debianFile, extractOf } from '../../testing/extract-reading.ts';
import { summariseBibliography } from '../data/bibliography.ts';
import { summariseLatex } from '../papers/latex.ts';
import { summariseManPage } from '../papers/man-page.ts';
import { summariseTexinfo } from '../papers/texinfo.ts';
import { summariseTroff } from '../papers/troff.ts';
import type { Summariser } from '../summariser.ts';
import { summariseAsciidoc } from './asciidoc.ts';
import { summariseFaq } from './faq.ts';
import { summariseReadme } from './readme.ts';

const tex = '/usr/share/texlive/texmf-dist';
const files: readonly (readonly [Summariser, packageName: string, path: string])[] = [
  [summariseManPage, 'coreutils and man pages', '/usr/share/man/man1/ls.1.gz'],
  [summariseManPage, 'openssh-client', '/usr/share/man/man1/ssh-add.1.gz'],
  [summariseTroff, 'groff', '/usr/share/doc/groff/pic.ms.gz'],
  [summariseLatex, 'texlive-latex-base', `${tex}/tex/latex/base/sample2e.tex`],
  [summariseBibliography, 'texlive-base', `${tex}/bibtex/bib/base/xampl.bib`],
  [summariseTexinfo, 'bzip2-doc', '/usr/share/doc/bzip2/manual.texi.gz'],
  [summariseAsciidoc, 'git-doc', '/usr/share/doc/git/html/git-am.txt'],
  [summariseFaq, 'zlib1g-dev', '/usr/share/doc/zlib1g-dev/FAQ.gz'],
  [summariseReadme, 'zlib1g-dev', '/usr/share/doc/zlib1g-dev/README.gz'],
];

for (const [summariser, packageName, path] of files)
  test(`damaged: ${path}`, async (t) => {
    const bytes = debianFile(t, packageName, path);
    if (bytes === undefined) return;
    const name = path.slice(path.lastIndexOf('/') + 1).replace('.gz', '');
    const whole = await extractOf(summariser, name, bytes);
    for (let part = 1; part < 16; part++) {
      const cut = await extractOf(
        summariser,
        name,
        bytes.subarray(0, Math.floor((bytes.length * part) / 16)),
      );
      assert.ok(cut.body.length <= whole.body.length + 1000);
      // The title of the whole document is near its beginning.
      if (part > 8) assert.equal(cut.title, whole.title);
    }
    const damage = fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(damage, async (changes) => {
        const damaged = Uint8Array.from(bytes);
        for (const [at, byte] of changes) damaged[at] = byte;
        const extract = await extractOf(summariser, name, damaged, { maxTextBytes: 10_000 });
        assert.ok(Buffer.byteLength(extract.body) <= 10_000);
      }),
      { numRuns: 20 },
    );
  });
