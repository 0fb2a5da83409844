import type { ReferenceCollector } from '../text/index.ts';

// Each alternative ends at the next mark of its own kind, so one pass over the text suffices.
const markup = new RegExp(
  [
    /``([^`]{1,4000})``/, // 1: literal
    /(?::([\w:+.-]{1,60}):)?`([^`]{1,4000})`(?::([\w:+.-]{1,60}):|(__?))?/, // 2: role, 3: words, 4: role after, 5: link mark
    /\*\*([^*]{1,4000})\*\*/, // 6
    /\*([^*\s][^*]{0,4000})\*/, // 7
    /\|([^|\s][^|\n]{0,200})\|_{0,2}/, // 8: substitution
    /\[((?:#?[\w.-]{1,60})|\*)\]_/, // 9: footnote
    /\\([\s\S])/, // 10: escaped
    /(https?:\/\/[^\s<>()[\]"'`|]{1,2000})/, // 11: URL
    /(?<![\p{L}\p{N}])([\p{L}\p{N}][\p{L}\p{N}.+-]{0,80})__?(?![\p{L}\p{N}_])/u, // 12: reference by one word
  ]
    .map(({ source }) => source)
    .join('|'),
  'gu',
);

const silentRoles: ReadonlySet<string> = new Set(['index', 'raw', 'math']);

/** A reStructuredText paragraph without inline markup; its links go to `references`. */
export function rstInline(
  source: string,
  references: ReferenceCollector,
  substitutions: ReadonlyMap<string, string>,
): string {
  if (!/[`*|\\_:]/.test(source)) return source;
  return source.replace(
    markup,
    (whole, literal, before, words, after, _mark, strong, emphasis, name, footnote, escaped, url, word) => {
      if (literal !== undefined) return literal;
      if (words !== undefined) {
        const role: string | undefined = before ?? after;
        if (role !== undefined && silentRoles.has(role)) return role === 'index' ? words : ' ';
        return interpreted(words, role, references);
      }
      if (strong !== undefined || emphasis !== undefined) return strong ?? emphasis;
      if (name !== undefined) return substitutions.get(name) ?? name;
      if (footnote !== undefined) return '';
      if (escaped !== undefined) return /\s/.test(escaped) ? '' : escaped;
      if (url !== undefined) {
        references.add(url.replace(/[.,;:!?*]+$/, ''), true);
        return url;
      }
      return word ?? whole;
    },
  );
}

/** The text between backquotes: words, perhaps with a target in angle brackets. */
function interpreted(source: string, role: string | undefined, references: ReferenceCollector): string {
  const open = source.endsWith('>') ? source.lastIndexOf('<') : -1;
  if (open >= 0) {
    const target = source.slice(open + 1, -1).trim();
    const words = source.slice(0, open).trim();
    // Sphinx names documents and labels in the same way; only addresses are references here.
    if (role === undefined && !target.endsWith('_')) references.add(target.replace(/\s+/g, ''), true);
    return words || target;
  }
  // Sphinx: `!` prevents a link, `~` hides all but the last part of a name.
  if (role !== undefined && source.startsWith('~')) return source.slice(source.lastIndexOf('.') + 1);
  return role !== undefined && source.startsWith('!') ? source.slice(1) : source;
}
