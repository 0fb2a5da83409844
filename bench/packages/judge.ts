import { Attributes, attributeNumber, attributeText, type SummaryObject } from '../../soif/index.ts';

/** An object with what a judge needs to know of it. */
export interface Judged {
  readonly object: SummaryObject;
  /** The last part of its path, decoded. */
  readonly name: string;
  /** The bytes of its file, or undefined when it is a member of an archive. */
  readonly bytes: () => Uint8Array | undefined;
}

/** A fault of summaries: `isConcerned` says which objects can have it, `isFaulty` which of these have it. */
export interface Fault {
  readonly isConcerned: (judged: Judged) => boolean;
  readonly isFaulty: (judged: Judged) => boolean;
}

const text = ({ object }: Judged, name: string) => attributeText(object, name) ?? '';

const texts =
  /^(?:AsciiDoc|EPUB|FAQ|FictionBook|FormattedText|FullText|FYI|HTML|Internet-Draft|MHTML|Mail|ManPage|Markdown|MSWord|News|OpenDocument|Org|PDF|PostScript|README|RFC|RST|RTF|Tex|Texinfo|Text|Troff)$/;

/** What every object has, so that it says nothing of the content. */
const plain =
  /^(?:Title|Type|Media-Type|File-Size|MD5|Last-Modification-Time|Summary-Note|Time-to-Live|Refresh-Rate|Update-Time|Gatherer-\w+)$/i;

const boilerplate =
  /^[^\p{L}\p{N}]*(?:$|copyright\b(?! \([^)]+\)$)|permission is|redistribution and|all rights reserved|this (?:program|file|library|software) is (?:free|part|distributed|licen[cs]ed)|spdx-|licen[cs]ed under|-\*-|#!|<[?!]|vim?:|(?:en)?coding[:=]|format: *http|untitled\b|(?:table of )?contents$|index$|home$|main page$|name$|(?:do not|don['’]t) edit|(?:this file (?:is|was) )?(?:auto(?:matically)?[- ]?)?generated (?:by|from)|microsoft word -|metadata-version|manifest-version|\[[\w .-]+\]$|[a-z_]\w{0,40}=\S*$|change ?logs?$|(?:v|version )?\d[\d.:/ -]*$)/iu;

const licence =
  /permission is (?:hereby )?granted|redistribution and use in source|this (?:program|library|software|package|file|script|code|module) is (?:free software|distributed|licensed|made available|under)|licen[cs]ed under|general public licen[cs]e|without (?:any )?warranty|apache licen[cs]e|all rights reserved|spdx-licen|free documentation licen[cs]e|same terms as perl|^\W*(?:copyright\b|\(c\) \d{4})/i;

/** The file's name without the endings of its compression and of its type. */
const withoutEndings = (name: string) =>
  name.replace(/\.(?:gz|bz2|xz|Z)$/, '').replace(/(?<=.)\.\w{1,6}$/, '');

const isFileName = (judged: Judged) => {
  const title = text(judged, Attributes.title);
  return [judged.name, judged.name.replace(/\.gz$/, ''), withoutEndings(judged.name)].includes(title);
};

const hasWords = (judged: Judged) =>
  /\p{L}{2,}\W+\p{L}{2,}\W+\p{L}{2,}/u.test(text(judged, Attributes.fullText));

const replacement = '\ufffd';

/** The faults that a table counts, by its rows. */
export const faults = {
  fileName: {
    isConcerned: (judged) => texts.test(text(judged, Attributes.type)) && hasWords(judged),
    isFaulty: isFileName,
  },
  boilerplate: {
    // The title of a file of numbers is a number.
    isConcerned: (judged) =>
      text(judged, Attributes.title) !== '' &&
      !isFileName(judged) &&
      (hasWords(judged) || text(judged, Attributes.fullText) === ''),
    isFaulty: (judged) => boilerplate.test(text(judged, Attributes.title)),
  },
  licence: {
    isConcerned: (judged) => text(judged, Attributes.description) !== '',
    isFaulty: (judged) => licence.test(text(judged, Attributes.description)),
  },
  empty: {
    // A file of bytes that no reader knows has name, size and date, and a file of a blank has no content.
    isConcerned: (judged) => {
      if ((attributeNumber(judged.object, Attributes.fileSize) ?? 0) < 3) return false;
      if (text(judged, Attributes.type) !== 'Unrecognized') return true;
      const bytes = judged.bytes();
      return bytes !== undefined && !bytes.subarray(0, 65_536).includes(0);
    },
    isFaulty: ({ object }) => object.attributes.every(({ name }) => plain.test(name)),
  },
  undecoded: {
    isConcerned: (judged) => text(judged, Attributes.fullText) !== '',
    isFaulty: (judged) => {
      if (!judged.object.attributes.some(({ value }) => Buffer.from(value).includes(replacement)))
        return false;
      return !Buffer.from(judged.bytes() ?? []).includes(replacement);
    },
  },
} as const satisfies Record<string, Fault>;

export type FaultName = keyof typeof faults;
