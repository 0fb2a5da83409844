import { patch } from './dom.ts';
import type { AttributeValue, ViewNode } from './element.ts';

// The topology page in the browser: at each change that the server reports, the page is loaded again and its content
// is made equal. What the reader has opened and where the keys are stays.

/** Ages grow while the page is open. */
const ageStepMs = 30_000;
const retryMs = 5_000;
/** Min time between two loads, however often the topology changes. */
const paceMs = 2_000;

const content = document.getElementById('content');
const spoken = document.getElementById('spoken');
const root = document.documentElement;

const shownVersion = () => content?.querySelector<HTMLElement>('[data-version]')?.dataset.version;

const summary = () => content?.querySelector('h1')?.textContent ?? '';

/** A node of another document as a tree. */
function viewOf(node: Node): ViewNode {
  if (!(node instanceof Element)) return node.nodeValue ?? '';
  const attributes: Record<string, AttributeValue> = {};
  for (const name of node.getAttributeNames()) attributes[name] = node.getAttribute(name) ?? '';
  return { tag: node.localName, attributes, children: Array.from(node.childNodes, viewOf) };
}

let isLoading = false;
let isStale = false;
let lastLoad = Date.now();
let lastAsked = lastLoad;

/** Load the page and show what changed, when somebody sees it; a change in the meantime loads it once more. */
function load(): void {
  isStale = true;
  if (isLoading) return;
  isLoading = true;
  void again().finally(() => {
    isLoading = false;
  });
}

async function again(): Promise<void> {
  while (isStale && content !== null) {
    await new Promise((resolve) => setTimeout(resolve, lastAsked + paceMs - Date.now()));
    if (document.hidden) return;
    isStale = false;
    lastAsked = Date.now();
    try {
      const answer = await fetch(location.pathname, { headers: { accept: 'text/html' } });
      if (!answer.ok) return;
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      const fresh = page.getElementById('content');
      if (fresh === null) return;
      lastLoad = Date.now();
      const before = summary();
      patch(content, Array.from(fresh.childNodes, viewOf));
      if (spoken !== null && summary() !== before) spoken.textContent = summary();
    } catch {
      // The server does not answer now: the stream reports it when it is back.
      return;
    }
  }
}

function listen(): void {
  const events = new EventSource('topology/events');
  events.onopen = () => {
    root.dataset.live = 'true';
  };
  events.onerror = () => {
    delete root.dataset.live;
    // A refused stream is closed for good.
    if (events.readyState === EventSource.CLOSED) setTimeout(listen, ageStepMs);
  };
  events.onmessage = ({ data }) => {
    const { version } = JSON.parse(String(data)) as { readonly version?: unknown };
    if (version !== shownVersion()) load();
  };
}

listen();
setInterval(() => {
  const due = root.dataset.live === undefined ? retryMs : ageStepMs;
  if (!document.hidden && Date.now() - lastLoad >= due) load();
}, retryMs);
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) load();
});
root.dataset.ready = 'true';
