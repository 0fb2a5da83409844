import { createHash } from 'node:crypto';
import { contained, type PageSketch } from './page-sketch.ts';

/** Max addresses without a page that are requested in one run. */
const maxProbes = 32;
const maxPlaces = 1000;
/** Pages without news in one place before it is probed. */
const suspectPages = 8;
const maxFirst = 24;
/** Pieces of text of a page that says nothing but that it is missing. */
const shortPage = 12;

/** What titles of pages for missing addresses say, in many languages; the page is then compared with one. */
const saysMissing = new RegExp(
  [
    String.raw`\b404\b|not found|no longer (?:available|exists)|(?:does not|doesn.t) exist`,
    '(?:cannot|can.t|could not|couldn.t) (?:be found|find)|(?:page|content) (?:is )?(?:unavailable|not available)',
    'nicht gefunden|existiert nicht|niet gevonden|bestaat niet|introuvable|non trouv|n.existe pas|nu a fost g.sit',
    'no (?:se )?(?:ha )?enc(?:ontr|uentr)|no existe|no trobad|n.o (?:foi )?encontrad|n.o existe|non trovat|non esiste',
    String.raw`hittades? inte|inte hittas|finns inte|ikke fun(?:det|net)|fin(?:d|n)es ikke|ei l\u00f6y`,
    String.raw`nie znaleziono|nie istnieje|nenalezen|nem tal\u00e1lhat|bulunamad|\u03b4\u03b5\u03bd \u03b2\u03c1\u03ad\u03b8`,
    String.raw`\u043d\u0435 (?:\u043d\u0430\u0439\u0434|\u0437\u043d\u0430\u0439\u0434|\u0441\u0443\u0449\u0435\u0441\u0442|\u0456\u0441\u043d)`,
    String.raw`\u898b\u3064\u304b\u308a\u307e\u305b|\u5b58\u5728\u3057\u307e\u305b|\u627e\u4e0d\u5230|\u672a\u627e\u5230|\u4e0d\u5b58\u5728|\ucc3e\uc744 \uc218`,
  ].join('|'),
  'iu',
);
const isErrorTitle =
  /^\W*(?:http\W*|error\W*)*404\b.{0,40}$|^\W*(?:(?:page|file|document|error)\W+)?not found\W*$/im;

/** A place of a site: a first folder and a depth, where one program probably answers. */
interface Place {
  dull: number;
  /** The page for missing addresses; null when the server answers with an error, as it should. */
  missing?: PageSketch | null;
  /** The first pages, by URL, with a digest of their look. */
  readonly first: Map<string, string>;
}

export interface SoftMissing {
  readonly rule: string;
  /** Earlier pages that were taken for documents. */
  readonly earlier: readonly string[];
}

/**
 * Recognises soft 404s: pages of status 200 for addresses that do not exist. It requests one address that cannot exist
 * in a place whose pages look suspicious, and compares.
 */
export class MissingPages {
  readonly #places = new Map<string, Place>();
  readonly #probe: (url: string) => Promise<PageSketch | undefined>;
  #probes = 0;

  /** `probe`: the sketch of an address's page when the server answers with status 200; undefined when it does not. */
  constructor(probe: (url: string) => Promise<PageSketch | undefined>) {
    this.#probe = probe;
  }

  /**
   * Whether a page is one for missing addresses. `fresh`: it shows something new. `listed`: a list of the site's pages
   * names it, so that only its title can say so.
   */
  async check(
    url: string,
    sketch: PageSketch,
    fresh: boolean,
    listed: boolean,
  ): Promise<SoftMissing | undefined> {
    const { name, top, folder, ending } = placeOf(url);
    const rule = `${top}*: the server answers 200 where there is no page (soft 404)`;
    if (isErrorTitle.test(sketch.title) && sketch.units.size <= shortPage) return { rule, earlier: [] };
    const saysSo = saysMissing.test(sketch.title);
    if (listed && !saysSo) return undefined;
    if (!this.#places.has(name) && this.#places.size >= maxPlaces) return undefined;
    const place: Place = this.#places.get(name) ?? { dull: 0, first: new Map() };
    this.#places.set(name, place);
    if (!fresh) place.dull += 1;
    if (place.first.size < maxFirst) place.first.set(url, lookOf(sketch));
    const suspect = saysSo || place.dull >= suspectPages;
    if (place.missing === undefined && suspect && this.#probes < maxProbes) {
      this.#probes += 1;
      // No word of a text: the words of an address do not count in a sketch.
      const number = createHash('sha256').update(folder).digest().readUIntBE(0, 6);
      place.missing = (await this.#probe(`${folder}nosuch-${number}-nopage${ending}`)) ?? null;
    }
    const { missing } = place;
    if (missing === undefined || missing === null || !isAlike(sketch, missing, fresh)) return undefined;
    const look = lookOf(sketch);
    const earlier = [...place.first].filter(([, other]) => other === look).map(([at]) => at);
    for (const at of earlier) place.first.delete(at);
    return { rule, earlier: earlier.filter((at) => at !== url) };
  }
}

/** Whether a page shows all that the one for missing addresses shows, and nothing of its own. */
function isAlike(page: PageSketch, missing: PageSketch, fresh: boolean): boolean {
  if (missing.units.size === 0 || page.figures.size > missing.figures.size + 2) return false;
  if (page.pieces.size === missing.pieces.size && contained(page, missing) === 1) return true;
  for (const unit of missing.units) if (!page.units.has(unit)) return false;
  const more = page.units.size - missing.units.size;
  return more === 0 || (!fresh && more * 5 <= page.units.size);
}

function lookOf({ units }: PageSketch): string {
  return createHash('sha256')
    .update([...units].sort().join())
    .digest('base64url')
    .slice(0, 16);
}

function placeOf(url: string): {
  readonly name: string;
  readonly top: string;
  readonly folder: string;
  readonly ending: string;
} {
  const path = url.replace(/\?.*$/s, '');
  const [, host = '', first = ''] = /^([^/]*\/\/[^/]*\/)([^/]*\/)?/.exec(path) ?? [];
  const steps = path.slice(host.length).split('/').length;
  const ending = /\.[a-z0-9]{1,5}$/i.exec(path.slice(path.lastIndexOf('/')))?.[0] ?? '';
  return {
    name: `${steps} ${host}${first}*${ending}`,
    top: host + first,
    folder: path.slice(0, path.lastIndexOf('/') + 1),
    ending,
  };
}
