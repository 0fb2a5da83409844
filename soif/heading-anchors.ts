import { Attributes, attributeText, type SummaryObject } from './summary-object.ts';

/** A heading of a document, with the identifier of its place there where it has one. */
export interface AnchoredHeading {
  readonly heading: string;
  readonly anchor?: string | undefined;
}

/** UTF-16 units. */
const maxAnchor = 200;
const maxHeadings = 5000;
const maxText = 1024 * 1024;

/** Whether a string can be kept as an identifier: short, without white space, control or direction characters. */
export function isAnchor(text: string): boolean {
  return text.length > 0 && text.length <= maxAnchor && !/[\s\p{Cc}\p{Cf}\p{Cs}]/u.test(text);
}

/** The identifier that GitHub and most converters of Markdown give a heading. */
export const headingSlug = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-');

/** That of docutils, which Sphinx uses. */
const docutilsId = (heading: string): string =>
  heading
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[-0-9]+|-$/g, '');

/** That of AsciiDoc. */
const asciidocId = (heading: string): string =>
  `_${heading.toLowerCase().replace(/[^\p{L}\p{M}\p{N}_]+/gu, '_')}`.replace(/_{2,}/g, '_').replace(/_$/, '');

// One sign for an identifier that a rule makes of the heading; most are, and need no bytes of their own.
const rules: readonly (readonly [sign: string, idOf: (heading: string) => string])[] = [
  ['=', headingSlug],
  ['-', docutilsId],
  ['_', asciidocId],
];

/**
 * The value of `Heading-Anchors`: a line for each heading, in their order, with its identifier, a sign for the rule that
 * makes it of the heading, or nothing. Empty without any identifier.
 */
export function encodeAnchors(headings: readonly AnchoredHeading[]): string {
  const lines = headings.map(({ heading, anchor }) => {
    if (anchor === undefined || !isAnchor(anchor)) return '';
    const sign = rules.find(([, idOf]) => idOf(heading) === anchor)?.[0];
    return sign ?? (rules.some(([other]) => other === anchor) ? '' : anchor);
  });
  return lines.join('\n').trimEnd();
}

/** Read the two values of any object: what is no identifier is left out. */
export function decodeAnchors(headings: string, anchors: string): AnchoredHeading[] {
  if (headings === '') return [];
  const lines = anchors.slice(0, maxText).split('\n', maxHeadings);
  return headings
    .slice(0, maxText)
    .split('\n', maxHeadings)
    .map((heading, at): AnchoredHeading => {
      const line = lines[at] ?? '';
      const anchor = rules.find(([sign]) => sign === line)?.[1](heading) ?? line;
      return isAnchor(anchor) ? { heading, anchor } : { heading };
    });
}

/** The headings of an object with their identifiers. */
export function headingsOf(object: SummaryObject): AnchoredHeading[] {
  return decodeAnchors(
    attributeText(object, Attributes.headings) ?? '',
    attributeText(object, Attributes.headingAnchors) ?? '',
  );
}
