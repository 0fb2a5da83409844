import { latin1Start } from '../../readers/bytes/index.ts';
import type { AttributeNote } from '../../readers/document/index.ts';
import type { TypeName } from '../recognise/index.ts';
import type { Summariser, SyncSummariser } from './summariser.ts';
import { htmlAttributes, summariseHtml } from './text/html.ts';
import { summariseText } from './text/text.ts';

/** The summariser of a type, and its attributes besides title, type, size, dates and MD5. */
export interface SummariserEntry {
  /** `text`: clearly binary content is not passed to it. */
  readonly reads: 'text' | 'bytes';
  /** Rare summarisers are loaded at the first such document. */
  readonly load: () => Summariser | Promise<Summariser>;
  /** For docs/summarisers.md. */
  readonly attributes: () => Promise<readonly AttributeNote[]>;
}

type Loaded = { readonly summarise: Summariser; readonly attributes: readonly AttributeNote[] };

function lazy(reads: SummariserEntry['reads'], load: () => Promise<Loaded>): SummariserEntry {
  return {
    reads,
    load: async () => (await load()).summarise,
    attributes: async () => (await load()).attributes,
  };
}

const words: readonly AttributeNote[] = [{ name: 'Full-Text', what: 'all words of the text' }];

function text(summarise: Summariser, attributes = words): SummariserEntry {
  return { reads: 'text', load: () => summarise, attributes: async () => attributes };
}

const faq = lazy('text', async () => {
  const { summariseFaq, faqAttributes } = await import('./text/faq.ts');
  return { summarise: summariseFaq, attributes: faqAttributes };
});
const code = lazy('text', async () => {
  const { summariseSourceCode, sourceCodeAttributes } = await import('./software/source-code.ts');
  return { summarise: summariseSourceCode, attributes: sourceCodeAttributes };
});
const binary = lazy('bytes', async () => {
  const { summariseBinary, binaryAttributes } = await import('./software/binary.ts');
  return { summarise: summariseBinary, attributes: binaryAttributes };
});
const audioVideo = lazy('bytes', async () => {
  const { summariseAudioVideo, audioVideoAttributes } = await import('./media/audio-video.ts');
  return { summarise: summariseAudioVideo, attributes: audioVideoAttributes };
});
const archive = lazy('bytes', async () => {
  const { summariseArchive, archiveListingAttributes } = await import('./data/archive-listing.ts');
  return { summarise: summariseArchive, attributes: archiveListingAttributes };
});
const office = lazy('bytes', async () => {
  const { summariseMsOffice, msOfficeAttributes } = await import('./papers/ms-office.ts');
  return { summarise: summariseMsOffice, attributes: msOfficeAttributes };
});
const rfc = lazy('text', async () => {
  const { summariseRfc, rfcAttributes } = await import('./text/rfc.ts');
  return { summarise: summariseRfc, attributes: rfcAttributes };
});

const fences = /^(?:\xef\xbb\xbf)?(?:---|\+\+\+)[ \t]*[\r\n]/;

/** A summariser of texts that site generators begin with front matter: rare, so it is read by what is loaded then. */
const afterFrontMatter =
  (summarise: SyncSummariser): Summariser =>
  (document, options) =>
    fences.test(latin1Start(document.bytes, 200))
      ? import('./text/front-matter-fields.ts').then(({ behindFrontMatter }) =>
          behindFrontMatter(summarise)(document, options),
        )
      : summarise(document, options);

const table: Readonly<Partial<Record<TypeName, SummariserEntry>>> = {
  Archive: archive,
  AsciiDoc: lazy('text', async () => {
    const { summariseAsciidoc, asciidocAttributes } = await import('./text/asciidoc.ts');
    return { summarise: afterFrontMatter(summariseAsciidoc), attributes: asciidocAttributes };
  }),
  Audio: audioVideo,
  Awk: code,
  Bibliographic: lazy('bytes', async () => {
    const { summariseBibliography, bibliographyAttributes } = await import('./data/bibliography.ts');
    const { bibliographicEntryAttributes } = await import('./data/bibliography.ts');
    const attributes = [...bibliographyAttributes, ...bibliographicEntryAttributes];
    return { summarise: summariseBibliography, attributes };
  }),
  Binary: binary,
  C: code,
  CHeader: code,
  CSS: code,
  Calendar: lazy('bytes', async () => {
    const { summariseCalendar, calendarAttributes } = await import('./data/calendar.ts');
    return { summarise: summariseCalendar, attributes: calendarAttributes };
  }),
  CompressedTar: archive,
  Configuration: lazy('text', async () => {
    const { summariseConfiguration, configurationAttributes } = await import('./software/configuration.ts');
    const { withDescription, describedAttributes } = await import('./software/described-file.ts');
    const attributes = [...describedAttributes.slice(1), ...configurationAttributes];
    return { summarise: withDescription(summariseConfiguration), attributes };
  }),
  Data: lazy('bytes', async () => {
    const { summariseDataFile } = await import('./data/data-file.ts');
    const { arrayDataAttributes } = await import('./data/array-data.ts');
    const { dataTableAttributes } = await import('./data/data-table.ts');
    const { sqliteAttributes } = await import('./data/sqlite.ts');
    const attributes = [...dataTableAttributes, ...sqliteAttributes, ...arrayDataAttributes];
    return { summarise: summariseDataFile, attributes };
  }),
  Directory: lazy('text', async () => {
    const { summariseDirectory, directoryAttributes } = await import('./data/directory.ts');
    return { summarise: summariseDirectory, attributes: directoryAttributes };
  }),
  Dvi: lazy('bytes', async () => {
    const { summariseDvi, dviAttributes } = await import('./papers/dvi.ts');
    return { summarise: summariseDvi, attributes: dviAttributes };
  }),
  EPUB: lazy('bytes', async () => {
    const { summariseEpub, epubAttributes } = await import('./papers/epub.ts');
    return { summarise: summariseEpub, attributes: epubAttributes };
  }),
  FAQ: faq,
  FYI: rfc,
  Feed: lazy('bytes', async () => {
    const { summariseFeed, feedAttributes } = await import('./data/feed.ts');
    return { summarise: summariseFeed, attributes: feedAttributes };
  }),
  FictionBook: lazy('bytes', async () => {
    const { summariseFictionBook, fictionBookAttributes } = await import('./papers/fictionbook.ts');
    return { summarise: summariseFictionBook, attributes: fictionBookAttributes };
  }),
  Font: lazy('bytes', async () => {
    const { summariseFont, fontAttributes } = await import('./media/font.ts');
    return { summarise: summariseFont, attributes: fontAttributes };
  }),
  FormattedText: text(summariseText),
  Framemaker: lazy('bytes', async () => {
    const { summariseFramemaker, framemakerAttributes } = await import('./papers/framemaker.ts');
    return { summarise: summariseFramemaker, attributes: framemakerAttributes };
  }),
  FullText: text(summariseText),
  GNUCompressedTar: archive,
  HTML: text(afterFrontMatter(summariseHtml), [...htmlAttributes, ...words]),
  Image: lazy('bytes', async () => {
    const { summariseImage, imageAttributes } = await import('./media/image.ts');
    return { summarise: summariseImage, attributes: imageAttributes };
  }),
  'Internet-Draft': rfc,
  JSON: lazy('text', async () => {
    const { summariseJsonData, jsonDataAttributes } = await import('./data/json-data.ts');
    return { summarise: summariseJsonData, attributes: jsonDataAttributes };
  }),
  JavaScript: code,
  MHTML: lazy('bytes', async () => {
    const { summariseSavedPage, savedPageAttributes } = await import('./text/saved-page.ts');
    return { summarise: summariseSavedPage, attributes: savedPageAttributes };
  }),
  MSExcel: office,
  MSPowerPoint: office,
  MSWord: office,
  Mail: lazy('bytes', async () => {
    const { summariseMail, mailAttributes } = await import('./text/mail.ts');
    return { summarise: summariseMail, attributes: mailAttributes };
  }),
  Makefile: lazy('text', async () => {
    const { summariseMakefile, makefileAttributes } = await import('./software/makefile.ts');
    return { summarise: summariseMakefile, attributes: makefileAttributes };
  }),
  ManPage: lazy('text', async () => {
    const { summariseManPage } = await import('./papers/man-page.ts');
    const { manualPageAttributes } = await import('./papers/man-page.ts');
    return { summarise: summariseManPage, attributes: manualPageAttributes };
  }),
  Markdown: lazy('text', async () => {
    const { summariseMarkdown } = await import('./text/markdown.ts');
    const attributes = [
      { name: 'Headings', what: 'all headings, one per line' },
      {
        name: 'Author',
        what: 'the author that the front matter names, and other front matter under its names',
      },
      { name: 'URL-References', what: 'the addresses it links to, one per line' },
      ...words,
    ];
    return { summarise: summariseMarkdown, attributes };
  }),
  News: lazy('bytes', async () => {
    const { summariseNews, newsAttributes } = await import('./text/news.ts');
    return { summarise: summariseNews, attributes: newsAttributes };
  }),
  Notebook: lazy('text', async () => {
    const { summariseNotebook, notebookAttributes } = await import('./data/notebook.ts');
    return { summarise: summariseNotebook, attributes: notebookAttributes };
  }),
  OPML: lazy('bytes', async () => {
    const { summariseOpml, opmlAttributes } = await import('./data/opml.ts');
    return { summarise: summariseOpml, attributes: opmlAttributes };
  }),
  Object: binary,
  OpenDocument: lazy('bytes', async () => {
    const { summariseOpenDocument, openDocumentAttributes } = await import('./papers/open-document.ts');
    return { summarise: summariseOpenDocument, attributes: openDocumentAttributes };
  }),
  Org: lazy('text', async () => {
    const { summariseOrg, orgAttributes } = await import('./text/org.ts');
    return { summarise: summariseOrg, attributes: orgAttributes };
  }),
  OtherCode: code,
  PCCompressed: archive,
  PDF: lazy('bytes', async () => {
    const { summarisePdf, pdfAttributes } = await import('./papers/pdf.ts');
    return { summarise: summarisePdf, attributes: pdfAttributes };
  }),
  Patch: lazy('text', async () => {
    const { summarisePatch, patchAttributes } = await import('./software/patch.ts');
    return { summarise: summarisePatch, attributes: patchAttributes };
  }),
  Perl: code,
  PostScript: lazy('bytes', async () => {
    const { summarisePostScript, postScriptAttributes } = await import('./papers/postscript.ts');
    return { summarise: summarisePostScript, attributes: postScriptAttributes };
  }),
  Python: code,
  RCS: lazy('text', async () => {
    const { summariseRcs, revisionHistoryAttributes } = await import('./software/revision-history.ts');
    return { summarise: summariseRcs, attributes: revisionHistoryAttributes };
  }),
  README: lazy('text', async () => {
    const { summariseReadme, readmeAttributes } = await import('./text/readme.ts');
    return { summarise: summariseReadme, attributes: readmeAttributes };
  }),
  RFC: rfc,
  RST: lazy('text', async () => {
    const { summariseRestructuredText, restructuredTextAttributes } = await import(
      './text/restructured-text.ts'
    );
    return { summarise: summariseRestructuredText, attributes: restructuredTextAttributes };
  }),
  RTF: lazy('bytes', async () => {
    const { summariseRtf, rtfAttributes } = await import('./papers/rtf.ts');
    return { summarise: summariseRtf, attributes: rtfAttributes };
  }),
  SCCS: lazy('bytes', async () => {
    const { summariseSccs, revisionHistoryAttributes } = await import('./software/revision-history.ts');
    return { summarise: summariseSccs, attributes: revisionHistoryAttributes };
  }),
  ShellArchive: archive,
  ShellScript: code,
  SourceDistribution: lazy('bytes', async () => {
    // Opened, its members are read one by one; left packed, it is an archive.
    const { summariseArchive } = await import('./data/archive-listing.ts');
    const { sourceDistributionAttributes } = await import('./software/source-distribution/attributes.ts');
    return { summarise: summariseArchive, attributes: sourceDistributionAttributes };
  }),
  Subtitles: lazy('text', async () => {
    const { summariseSubtitles, audioVideoAttributes } = await import('./media/audio-video.ts');
    return { summarise: summariseSubtitles, attributes: audioVideoAttributes };
  }),
  TNEF: lazy('bytes', async () => {
    const { summariseTnef, tnefAttributes } = await import('./text/outlook-message.ts');
    return { summarise: summariseTnef, attributes: tnefAttributes };
  }),
  Tar: archive,
  Tcl: code,
  Tex: lazy('text', async () => {
    const { summariseLatex, latexAttributes } = await import('./papers/latex.ts');
    return { summarise: summariseLatex, attributes: latexAttributes };
  }),
  Texinfo: lazy('text', async () => {
    const { summariseTexinfo, texinfoAttributes } = await import('./papers/texinfo.ts');
    return { summarise: summariseTexinfo, attributes: texinfoAttributes };
  }),
  Text: lazy('text', async () => {
    const { withDescription, describedAttributes } = await import('./software/described-file.ts');
    return { summarise: withDescription(summariseText), attributes: [...describedAttributes, ...words] };
  }),
  Troff: lazy('text', async () => {
    const { summariseTroff, troffAttributes } = await import('./papers/troff.ts');
    return { summarise: summariseTroff, attributes: troffAttributes };
  }),
  VCard: lazy('bytes', async () => {
    const { summariseVcard, vcardAttributes } = await import('./data/vcard.ts');
    return { summarise: summariseVcard, attributes: vcardAttributes };
  }),
  Video: audioVideo,
  XML: lazy('text', async () => {
    const { summariseXmlData, xmlDataAttributes } = await import('./data/xml-data.ts');
    return { summarise: summariseXmlData, attributes: xmlDataAttributes };
  }),
};

const entries: ReadonlyMap<string, SummariserEntry> = new Map(Object.entries(table));

/** The summariser of a type; undefined for types with only the plain summary of name, size, date and type. */
export function summariserOf(type: string): SummariserEntry | undefined {
  return entries.get(type);
}

/** Every type that has a summariser. */
export const summarisedTypes: readonly string[] = [...entries.keys()];

/** The classes that recognise and read source distributions; loaded at the first archive. */
export async function sourceDistributions() {
  const { DistributionReader } = await import('./software/source-distribution/distribution-reader.ts');
  const { DistributionSigns } = await import('./software/source-distribution/distribution-signs.ts');
  return { DistributionReader, DistributionSigns };
}
