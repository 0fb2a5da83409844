import type { ViewElement, ViewNode } from './element.ts';

/**
 * Make a parent's children equal the tree and touch nothing that already equals it: focus, scrolling and the reader's
 * selection survive. The server's HTML is taken over in the same way.
 */
export function patch(parent: Element, wanted: readonly ViewNode[]): void {
  let at: ChildNode | null = parent.firstChild;
  const kept = new Set(wanted.map(idOf));
  for (const node of wanted) {
    const id = idOf(node);
    if (id !== '') while (at instanceof Element && at.id !== '' && !kept.has(at.id)) at = removed(at);
    const found = id === '' ? seek(at, node) : seekId(at, node, id);
    if (found === null) {
      parent.insertBefore(created(node, parent.namespaceURI), at);
      continue;
    }
    // What has an id moves by itself: what it passes is wanted too.
    if (id !== '' && found !== at) parent.insertBefore(found, at);
    else {
      while (at !== null && at !== found) at = removed(at);
      at = found.nextSibling;
    }
    if (typeof node === 'string') {
      if (found.nodeValue !== node) found.nodeValue = node;
    } else {
      patchAttributes(found as Element, node);
      patch(found as Element, node.children);
    }
  }
  while (at !== null) at = removed(at);
}

const idOf = (node: ViewNode): string => (typeof node === 'string' ? '' : String(node.attributes.id ?? ''));

/** The element with this id among the next siblings. */
function seekId(from: ChildNode | null, node: ViewNode, id: string): ChildNode | null {
  for (let at = from; at !== null; at = at.nextSibling)
    if (at instanceof Element && at.id === id && at.localName === (node as ViewElement).tag) return at;
  return null;
}

/** The next sibling that can become this node. */
function seek(from: ChildNode | null, node: ViewNode): ChildNode | null {
  for (let at = from; at !== null; at = at.nextSibling) {
    if (typeof node === 'string' ? at instanceof Text : at instanceof Element && at.localName === node.tag)
      return at;
    // Text is in fixed places: looking further would remove elements for it.
    if (typeof node === 'string') return null;
  }
  return null;
}

function removed(node: ChildNode): ChildNode | null {
  const next = node.nextSibling;
  node.remove();
  return next;
}

const html = 'http://www.w3.org/1999/xhtml';
const svg = 'http://www.w3.org/2000/svg';

/** A node for a parent of this namespace: what is within a picture is part of it. */
function created(node: ViewNode, parent: string | null): Node {
  if (typeof node === 'string') return document.createTextNode(node);
  const namespace = node.tag === 'svg' ? svg : (parent ?? html);
  const made = document.createElementNS(namespace, node.tag);
  patchAttributes(made, node);
  for (const child of node.children) made.append(created(child, namespace));
  return made;
}

function patchAttributes(target: Element, node: ViewElement): void {
  // Whether a fold is open is the reader's choice.
  for (const name of target.getAttributeNames())
    if (!present(node.attributes[name]) && name !== 'open') target.removeAttribute(name);
  for (const [name, value] of Object.entries(node.attributes)) {
    if (!present(value)) continue;
    const text = value === true ? '' : String(value);
    if (target.getAttribute(name) !== text) target.setAttribute(name, text);
  }
}

const present = (value: unknown): boolean => value !== undefined && value !== false;
