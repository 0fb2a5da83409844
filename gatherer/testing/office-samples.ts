import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { made } from './made-by-tools.ts';

/** For tests: a text in Markdown that pandoc and LibreOffice turn into documents of every format. */
export const sampleSource = `---
title: Discovery of Things
author: [Ann Author, Bob Writer]
keywords: [harvest, soif]
subject: Resource discovery
lang: en-GB
---

# Introduction

Straße, naïve and 日本語 text — with a [link](https://example.org/page).[^1]

[^1]: A footnote text.

## Details of the matter

| Name | Value |
|------|-------|
| alpha | 42 |
| beta | 43 |

Final paragraph.
`;

const samples = new Map<string, Buffer>();

function once(key: string, make: () => Buffer): Buffer {
  const sample = samples.get(key) ?? make();
  samples.set(key, sample);
  return sample;
}

/** The sample as pandoc writes it in a format. */
export function byPandoc(format: string): Buffer {
  return once(`pandoc ${format}`, () =>
    made(sampleSource, 'doc.md', `doc.${format}`, 'pandoc', [
      '-s',
      '-t',
      format,
      '-o',
      `doc.${format}`,
      'doc.md',
    ]),
  );
}

let profile: string | undefined;

/** One folder of settings for every start of LibreOffice by this process, since it takes a third of a start to make. */
function libreOfficeProfile(): string {
  if (profile === undefined) {
    const folder = mkdtempSync(join(tmpdir(), 'garner-libreoffice-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    profile = folder;
  }
  return profile;
}

/** A file turned into another format by LibreOffice; slow, so each is made once. */
export function byLibreOffice(from: Buffer | string, extension: string, format: string): Buffer {
  return once(`libreoffice ${extension} ${format}`, () =>
    made(from, `doc.${extension}`, `doc.${format}`, 'soffice', [
      `-env:UserInstallation=${pathToFileURL(libreOfficeProfile())}`,
      '--headless',
      '--convert-to',
      format,
      `doc.${extension}`,
    ]),
  );
}

/** A small table as a file of comma-separated values. */
export const sampleTable = 'Name,Amount\nalpha,42\nbeta,43.5\n';

/** Whether LibreOffice can make spreadsheets and slides here, not only start. */
export const libreOfficeWhole: string | false =
  !(
    existsSync('/usr/lib/libreoffice/program/libsclo.so') &&
    existsSync('/usr/lib/libreoffice/program/libsdlo.so')
  ) && 'SKIPPED: install libreoffice-writer-nogui, libreoffice-calc-nogui and libreoffice-impress-nogui';
