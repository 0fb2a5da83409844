import { Parser } from 'htmlparser2';
import type { Block, BlockRole } from '../gatherer/index.ts';

/** A page of HTML as blocks: what the levels are made of. */
export interface Page {
  readonly title: string;
  /** Main text in reading order. */
  readonly blocks: readonly Block[];
  /** All visible text, navigation included, block by block. */
  readonly text: string;
  readonly references: readonly string[];
}

const roles: Readonly<Record<string, BlockRole>> = {
  ...{ h1: 'heading', h2: 'heading', h3: 'heading', h4: 'heading', h5: 'heading', h6: 'heading' },
  ...{ p: 'paragraph', div: 'paragraph', section: 'paragraph', article: 'paragraph', body: 'paragraph' },
  ...{ main: 'paragraph', td: 'row', th: 'row', tr: 'row', caption: 'paragraph', table: 'paragraph' },
  ...{ li: 'item', dt: 'item', dd: 'item', ul: 'item', ol: 'item', dl: 'item' },
  ...{ pre: 'pre', blockquote: 'quote', nav: 'paragraph', header: 'paragraph', footer: 'paragraph' },
};
const hidden: ReadonlySet<string> = new Set(['script', 'style', 'template', 'noscript', 'head']);
const boilerplate: ReadonlySet<string> = new Set(['nav', 'header', 'footer', 'aside']);
const boilerplateClass = /^(?:navheader|navfooter|footer|header|sphinxsidebar)$/;
const boilerplateRole = /^(?:navigation|search|banner|contentinfo|note)$/;

/** Read a page: blocks by their elements, without what its markup calls navigation, header or footer. */
export function readPage(html: string): Page {
  const blocks: Block[] = [];
  const texts: string[] = [];
  const references = new Set<string>();
  let [title, run, inTitle, hiddenDepth, boilerDepth] = ['', '', false, 0, 0];
  const open: { readonly name: string; readonly hidden: boolean; readonly boiler: boolean }[] = [];
  const roleOf = () => {
    for (let at = open.length - 1; at >= 0; at--) {
      const role = roles[open[at]?.name ?? ''];
      if (role !== undefined && (role !== 'paragraph' || at === 0))
        return { role, name: open[at]?.name ?? '' };
    }
    return { role: 'paragraph' as const, name: '' };
  };
  const end = () => {
    const { role, name } = roleOf();
    const text =
      role === 'pre'
        ? run
            .replace(/[^\S\n]+/g, ' ')
            .replace(/ ?\n[\n ]*/g, '\n')
            .trim()
        : run.replace(/\s+/g, ' ').replaceAll('¶', '').trim();
    run = '';
    if (text === '') return;
    texts.push(text);
    if (boilerDepth > 0) return;
    blocks.push({ role, text, ...(role === 'heading' ? { level: Number(name[1]) } : {}) });
  };
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'title' && title === '') inTitle = true;
      if (roles[name] !== undefined || name === 'br') {
        if (name === 'br') run += '\n';
        else end();
      }
      const href = attributes.href;
      if (name === 'a' && href !== undefined && !href.startsWith('#'))
        references.add(href.split('#')[0] as string);
      const isHidden = hidden.has(name);
      const boiler =
        boilerplate.has(name) ||
        boilerplateClass.test(attributes.class ?? '') ||
        boilerplateRole.test(attributes.role ?? '');
      if (isHidden) hiddenDepth++;
      if (boiler) boilerDepth++;
      open.push({ name, hidden: isHidden, boiler });
    },
    ontext(text) {
      if (inTitle) title += text;
      else if (hiddenDepth === 0) run += text;
    },
    onclosetag(name) {
      if (name === 'title') inTitle = false;
      if (roles[name] !== undefined) end();
      const last = open.pop();
      if (last?.hidden) hiddenDepth--;
      if (last?.boiler) boilerDepth--;
    },
  });
  parser.write(html);
  parser.end();
  end();
  return {
    title: title.replace(/\s+/g, ' ').trim(),
    blocks,
    text: texts.join('\n'),
    references: [...references],
  };
}
