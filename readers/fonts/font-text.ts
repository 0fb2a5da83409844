import { latin1Start } from '../bytes/index.ts';
import type { FontFacts } from './font-facts.ts';

const searched = 256 * 1024;

/** Read Adobe font metrics (AFM, Adobe technical note 5004). */
export function readAfm(bytes: Uint8Array): FontFacts {
  const text = latin1Start(bytes, searched);
  const value = (key: string) => new RegExp(`^${key}[ \\t]+([^\\r\\n]{1,2000})`, 'm').exec(text)?.[1]?.trim();
  const comments = [...text.slice(0, 8192).matchAll(/^Comment[ \t]+(Copyright[^\r\n]{1,500})/gm)];
  const set = value('CharacterSet');
  return {
    format: 'Adobe font metrics',
    family: value('FamilyName'),
    style: value('Weight'),
    fullName: value('FullName') ?? value('FontName'),
    postScriptName: value('FontName'),
    version: value('Version'),
    copyright: value('Notice') ?? comments[0]?.[1],
    weight: value('Weight'),
    fixedPitch: value('IsFixedPitch') === 'true',
    glyphs: numberOf(value('StartCharMetrics')),
    encoding: value('EncodingScheme'),
    scripts: set === 'ExtendedRoman' || set === 'Adobe Latin Extended' ? ['Latin'] : [],
    notes: [],
  };
}

/** Read a bitmap font in the BDF form (Adobe technical note 5005). */
export function readBdf(bytes: Uint8Array): FontFacts {
  const head = latin1Start(bytes, searched).split(/^STARTCHAR/m, 1)[0] ?? '';
  const value = (key: string) =>
    new RegExp(`^${key}[ \\t]+([^\\r\\n]{1,2000})`, 'm')
      .exec(head)?.[1]
      ?.trim()
      .replace(/^"|"$/g, '')
      .replaceAll('""', '"');
  return { ...bitmapFacts('BDF', value), glyphs: numberOf(value('CHARS')), notes: [] };
}

/** The facts in properties of the X logical font description (XLFD), from any storage. */
export function bitmapFacts(format: string, value: (property: string) => string | undefined): FontFacts {
  const family = value('FAMILY_NAME');
  const style = [value('WEIGHT_NAME'), slants.get(value('SLANT') ?? '')].filter(Boolean).join(' ');
  const registry = value('CHARSET_REGISTRY');
  const spacing = value('SPACING');
  return {
    format,
    family,
    style,
    fullName: value('FACE_NAME') ?? value('FULL_NAME') ?? value('FONT'),
    version: value('FONT_VERSION') ?? value('VERSION'),
    copyright: value('COPYRIGHT') ?? value('NOTICE'),
    manufacturer: value('FOUNDRY'),
    weight: value('WEIGHT_NAME'),
    fixedPitch: spacing === 'C' || spacing === 'M',
    pixelSize: numberOf(value('PIXEL_SIZE')),
    encoding: registry && [registry, value('CHARSET_ENCODING')].filter(Boolean).join('-'),
    notes: [],
  };
}

const slants: ReadonlyMap<string, string> = new Map(Object.entries({ I: 'Italic', O: 'Oblique' }));

function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
