// Words of short blocks that are not the article, common to all sites.

const patterns = {
  advert:
    /^(?:advert\w*|sponsored|promoted|ad|ads|anzeige|werbung|publicit[eé]|publicidad|publicidade|реклама)\b|story continues below|continue reading below|article continues/i,
  share:
    /\b(?:share (?:this|on|via|with)|tweet|facebook|twitter|whatsapp|pinterest|linkedin|instagram|email|print|follow us|like us|teilen|compartilh\w+|compartir|partager|bagikan)\b/i,
  rights:
    /©|\(c\) ?\d{4}|\bcopyright\b|all rights reserved|terms of (?:use|service)|privacy policy|may not be (?:published|reproduced|redistributed)|cookies?\b/i,
  more: /^(?:read|see|view|watch|more|related|also|show|load|click|next|previous|recommended|trending|popular|latest|up next|you (?:may|might)|don['’]t miss|lees|leia|veja|ver|lire|mehr|weiter|baca|читайте)\b|^[^.!?]{0,40}(?:read more|related:|see also|more:)/i,
  signup:
    /\b(?:newsletters?|subscri\w+|sign ?up|sign ?in|log ?in|register|e-?mail address|inbox|donate|membership|free trial|download (?:our|the) app)\b/i,
  credit:
    /\b(?:photo(?:graph)?s?|image|picture|credit|getty|reuters|shutterstock|courtesy|file photo|screenshot|illustration|via ap)\b|\((?:ap|afp|photo)\b/i,
  date: /\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.? \d{1,2}\b|\b\d{1,2}:\d\d\b|\b\d{4}-\d\d-\d\d\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|\b(?:hours?|minutes?|days?) ago\b|\bupdated\b|\bpublished\b/i,
  byline:
    /^(?:by|von|por|par|oleh|author|written|posted|reporting|editing|contributed|автор)\b|\b(?:staff writer|correspondent|editor at|is a (?:\w+ ){0,3}(?:writer|reporter|journalist|editor|author|contributor|columnist))\b/i,
  comment:
    /\b(?:comments?|repl(?:y|ies)|leave a|post a comment|responses?|kommentare?|comentarios?|comentários?|komentar)\b/i,
  contact:
    /@[\w-]+\.\w|\bcontact\b|\bcall us\b|\btips?\b.{0,20}@|\bpress (?:contact|release)\b|\babout (?:us|the author|\w+)$/i,
} as const;

/** Names of the cues in the order of their bits. */
export const textCues = Object.keys(patterns);

/** The bit of one cue. */
export function textCueBit(name: string): number {
  return 1 << textCues.indexOf(name);
}

const tests = Object.values(patterns);
/** Matches where any of them does: most blocks have no cue, and then one test is enough. */
const anyCue = new RegExp(tests.map(({ source }) => `(?:${source})`).join('|'), 'i');
const longest = 240;

/** Bits of the cues in a block's text; only the beginning of a long block is read. */
export function cuesOf(text: string): number {
  const head = text.length > longest ? text.slice(0, longest) : text;
  if (!anyCue.test(head)) return 0;
  let bits = 0;
  for (let at = 0; at < tests.length; at++) if (tests[at]?.test(head)) bits |= 1 << at;
  return bits;
}
