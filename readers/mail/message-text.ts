import { withoutEncoded } from '../archives/index.ts';
import { oneLine, type StructuredText } from '../text/index.ts';

const quoted = /^\s{0,3}(?:[>|:]|[A-Za-z]{1,4}>)/;
const attribution =
  /^(?:On|Am|Le|El|Il|Op|Den|In)\b.{0,200}\b(?:wrote|writes|schrieb|écrit|escribió|ha scritto|schreef|skrev)\s?:?\s*$|^.{0,150}\b(?:writes|wrote|schrieb):\s*$/i;
const address = /\bhttps?:\/\/[^\s<>()[\]"'`|]{1,2000}/g;

/** A message's paragraphs, without what is encoded in them; quotations and the signature are asides (RFC 3676 4.3 and 4.5). */
export function addMessageText(body: string, text: StructuredText): void {
  let words: string[] = [];
  let aside = false;
  let signature = false;
  const end = () => {
    const block = words.join('\n');
    words = [];
    if (block === '') return;
    if (aside) text.aside(block);
    else if (/\S {3,}\S|^\s{2,}\S/m.test(block)) text.lines(block);
    else text.paragraph(block);
  };
  for (const line of withoutEncoded(body).split(/\r\n?|\n/)) {
    if (/^-- ?$/.test(line)) signature = true;
    const apart = signature || quoted.test(line) || (line.length < 400 && attribution.test(line));
    if (line.trim() === '' || apart !== aside) end();
    aside = apart;
    if (line.trim() === '') continue;
    words.push(line);
    if (!apart && line.includes('://'))
      for (const [url] of line.matchAll(address)) text.references.add(url.replace(/[.,;:!?]+$/, ''), true);
  }
  end();
}

/** A subject without the marks of replies and forwards, or undefined when nothing is left. */
export function bareSubject(subject: string | undefined): string | undefined {
  const bare = oneLine((subject ?? '').slice(0, 2000)).replace(
    /^(?:(?:re|fwd?|aw|wg|sv|vs|antw|tr|rif)(?:\[\d+\])?:\s*){1,20}/i,
    '',
  );
  return bare === '' ? undefined : bare;
}
