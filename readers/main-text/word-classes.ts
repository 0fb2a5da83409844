// Groups of common words in class and id, by which page authors name the parts of a page for their style
// sheets. Each group is one bit. A name is split at its capitals, digits and punctuation.

const patterns = {
  /** The article's own text, named explicitly. */
  bodyText:
    /\b(?:articles?|story|post|entry|page|blog|news|main|body|rich|content|text|release)-?(?:body|content|text|copy|main|paragraphs?|entry|article|post)s?\b|articlebody|bodycopy|maintext|richtext|\bwysiwyg|\bprose\b|\bmarkdown\b/,
  article: /\b(?:articles?|story|stories|posts?|entry|hentry|blog|news|press)\b/,
  content: /\b(?:contents?|body|text|copy|main|paragraphs?|columns?|document)\b/,
  navigation:
    /\b(?:nav\w*|menus?|breadcrumbs?|crumbs?|pag(?:ination|er|inator)|toc|skip|tool-?bar|tabs?|submenu|dropdown|mega)\b/,
  header: /\b(?:header|masthead|head|top|topbar|logo|branding|banner|hero)\b/,
  footer: /\b(?:foot(?:er)?\w*|copyright|legal|colophon|bottom|disclaimer|after|below|end)\b/,
  side: /\b(?:side\w*|rail|aside|widgets?|secondary|tertiary|complementary|sidebar\w*|right|left|sticky)\b/,
  advert:
    /\b(?:ads?|advert\w*|adv|sponsor\w*|promo\w*|dfp|gpt|outbrain|taboola|partners?|commercial|affiliates?|banner|zergnet|adslot|adunit|mpu|leaderboard|shop\w*|buy|deals?)\b/,
  related:
    /\b(?:relat\w*|recommend\w*|recirc\w*|trending|popular|most|latest|suggest\w*|recent|also|further|upnext|more|next|prev\w*|others?|inline-links?|read-(?:more|next))\b/,
  teaser:
    /\b(?:teasers?|cards?|lists?|items?|feeds?|grid|tiles?|blurbs?|headlines?|featured?|collections?|river|stream|links?|rows?|modules?|components?|blocks?)\b/,
  comment:
    /\b(?:comments?|commenting|disqus|repl(?:y|ies)|discuss\w*|respon[ds]\w*|livefyre|viafoura|reviews?|guestbook|coral|conversation)\b/,
  share:
    /\b(?:shar\w*|social\w*|follow\w*|facebook|fb|twitter|tweet|whatsapp|pinterest|linkedin|like|email|mail|print|addthis|addtoany|sharedaddy|bookmark)\b/,
  caption:
    /\b(?:captions?|credits?|figures?|figcaption|photo\w*|images?|img|pic\w*|thumb\w*|copyright|attribution)\b/,
  media:
    /\b(?:gallery|galleries|slide\w*|media|videos?|player|embed\w*|lightbox|carousel|audio|podcast|jw\w*|youtube|instagram)\b/,
  byline:
    /\b(?:by|byline\w*|authors?|bio|contributors?|writer|date\w*|time\w*|publish\w*|posted|posting|meta\w*|info|updated|avatar|profile|reporter)\b/,
  heading: /\b(?:title|headline|heading|hed|kicker|eyebrow|overline|label)\b/,
  summary:
    /\b(?:sub-?title|sub-?headline|standfirst|dek|deck|summary|lead|lede|intro\w*|excerpt|description|abstract|strap\w*|teaser|key-?points|highlights?|bullets?)\b/,
  tags: /\b(?:tags?|tagged|keywords?|topics?|categor\w*|labels?|subjects?|filed)\b/,
  signup:
    /\b(?:newsletters?|subscri\w*|sign-?up|register|registration|login|log-in|signin|paywall|donat\w*|cta|call|opt-?in|forms?|member\w*|piano|tp|offer|survey|poll|quiz)\b/,
  overlay:
    /\b(?:modal|pop-?up|overlay|cookies?|consent|gdpr|ccpa|notices?|alerts?|notification|tooltip|dialog|toast|breaking)\b/,
  unseen:
    /\b(?:hidden|hide|sr-only|sr|visually|visuallyhidden|screen-?reader\w*|offscreen|invisible|none|a11y|print-only|no-?display)\b/,
  /** Posts of other sites embedded in an article. */
  post: /\b(?:twitter-(?:tweet|video)|tweet-(?:embed|text|body|content)|instagram-media|fb-post|reddit-(?:card|embed)|bluesky-embed|mastodon-embed)\b/,
  quote: /\b(?:quotes?|pull-?quotes?|blockquote|pq|callout|aside|inset|box|infobox|fact\w*|tip|note)\b/,
} as const;

/** A group of words in class and id. */
export type WordClass = keyof typeof patterns;

/** Groups in the order of their bits. */
export const wordClasses = Object.keys(patterns) as readonly WordClass[];

/** The bit of one group. */
export function wordClassBit(name: WordClass): number {
  return 1 << wordClasses.indexOf(name);
}

const tests = wordClasses.map((name) => patterns[name]);
const maxName = 300;
const maxCached = 20_000;
const maxCachedName = 100;
// Of all pages: those of one site have the same names.
const cached = new Map<string, number>();

/** Sorts names of class and id into groups; each name is analysed once, since pages repeat them. */
export class WordClassifier {
  /** Bits of the groups with words in `names` (class, id, role and the like, separated by spaces). */
  classify(names: string): number {
    if (names === '') return 0;
    const known = cached.get(names);
    if (known !== undefined) return known;
    const words = names
      .slice(0, maxName)
      .replace(/([a-z])([A-Z])/g, '$1-$2')
      .toLowerCase()
      .replace(/[^a-z\s]+/g, '-');
    let bits = 0;
    for (let at = 0; at < tests.length; at++) if (tests[at]?.test(words)) bits |= 1 << at;
    if (names.length <= maxCachedName) {
      if (cached.size >= maxCached) cached.clear();
      cached.set(names, bits);
    }
    return bits;
  }
}
