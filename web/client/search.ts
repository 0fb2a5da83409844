import {
  type Address,
  isAsked,
  nothingAsked,
  pageHref,
  queryLimit,
  readAddress,
  searchOf,
} from './address.ts';
import {
  type BrokerStatus,
  type LinkState,
  readBrokerStatus,
  readSearchAnswer,
  type SearchAnswer,
} from './answers.ts';
import { ask, type Outcome, RecentAnswers } from './ask.ts';
import { BrokerClient } from './broker-client.ts';
import { Completion } from './completion.ts';
import { contentView, documentTitle, type SearchModel, spokenState } from './content-view.ts';
import { patch } from './dom.ts';
import { type Failure, readTrouble } from './failure.ts';
import { RecentSearches } from './recent-searches.ts';
import { type SearchParameters, searchPath } from './search-parameters.ts';

// The search page in the browser: takes over the server's page and redraws it, with the same functions, at
// every key. All its data comes from the public HTTP API.

/**
 * The page's states in the browser's history. Typing replaces one entry, so that Back leads to the state
 * before the typing and not through every letter of it.
 */
class Visits {
  #current: Address;
  #typing = false;

  constructor(changed: (address: Address) => void) {
    this.#current = readAddress(location.search);
    window.addEventListener('popstate', () => {
      this.#typing = false;
      this.#current = readAddress(location.search);
      changed(this.#current);
    });
  }

  get current(): Address {
    return this.#current;
  }

  /** A state on the way: the first after a settled one gets an entry, the following ones replace it. */
  type(address: Address): void {
    if (this.#typing) history.replaceState(null, '', pageHref(address));
    else history.pushState(null, '', pageHref(address));
    this.#typing = true;
    this.#current = address;
  }

  /** A state the reader chose: it keeps its entry. */
  commit(address: Address): void {
    if (pageHref(address) !== pageHref(this.#current)) history.pushState(null, '', pageHref(address));
    this.#typing = false;
    this.#current = address;
  }
}

const typingPauseMs = 50;
const settleMs = 1_000;
const flickerMs = 150;
const spokenAfterMs = 700;
const ageStepMs = 30_000;
const growingStepMs = 2_000;
const maxRetryMs = 30_000;

function part<Kind extends HTMLElement>(id: string): Kind {
  const found = document.getElementById(id);
  if (found === null) throw new TypeError(`the page has no #${id}`);
  return found as Kind;
}

const box = part<HTMLInputElement>('q');
const form = part<HTMLFormElement>('search');
const content = part('content');
const spoken = part('spoken');
const name = document.documentElement.dataset.name ?? document.title;

const start = JSON.parse(part('start').textContent ?? '{}') as Record<string, unknown>;
const clockSkew = typeof start.now === 'number' ? start.now - Date.now() / 1000 : 0;
const now = () => Date.now() / 1000 + clockSkew;

const cache = document.documentElement.dataset.cache ?? '';
const recentSearches = new RecentSearches(document.documentElement.dataset.recent !== 'off');
const checks = new Map<string, string>();
const recent = new RecentAnswers<SearchAnswer>(40);
const client = new BrokerClient(new URL('.', document.baseURI));
const completion = new Completion(client, box, part('ghost'), part('words'), typed);
const visits = new Visits((address) => {
  box.value = address.query;
  isUnfinished = false;
  completion.typed();
  void load();
});

let answer: SearchAnswer | undefined = readSearchAnswer(start.answer);
let status: BrokerStatus | undefined = readBrokerStatus(start.status);
let trouble: Failure | undefined = readTrouble(start.trouble);
let asking: AbortController | undefined;
let typingTimer: number | undefined;
let spokenTimer: number | undefined;
let retryTimer: number | undefined;
let retryMs = 0;
/** Whether the last word in the box may be the beginning of a word. */
let isUnfinished = false;

function model(): SearchModel {
  const recent = recentSearches.isPossible
    ? { searches: recentSearches.list, isOn: recentSearches.isOn }
    : undefined;
  return { address: visits.current, answer, status, trouble, checks, cache, recent, now: now() };
}

function draw(): void {
  const focused = document.activeElement;
  patch(content, contentView(model()));
  document.title = documentTitle(visits.current, name);
  // A focused element that was removed leaves the keyboard without focus.
  if (focused !== null && focused !== document.body && !focused.isConnected) focusHeading();
  clearTimeout(spokenTimer);
  spokenTimer = setTimeout(() => {
    const sentence = spokenState(model());
    if (spoken.textContent !== sentence) spoken.textContent = sentence;
  }, spokenAfterMs);
}

function focusHeading(): void {
  content.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
}

/** Ask for the current state; what is known of it already is shown at once, what is stale is never shown late. */
async function load(): Promise<void> {
  asking?.abort();
  clearTimeout(typingTimer);
  clearTimeout(retryTimer);
  const own = new AbortController();
  asking = own;
  const address = visits.current;
  const search = { ...searchOf(address), ...(isUnfinished && { typing: true }) };
  const known = isAsked(address) ? recent.get(searchPath(search)) : undefined;
  if (known !== undefined) answer = known;
  if (known !== undefined || (!isAsked(address) && status !== undefined)) draw();
  const slow = setTimeout(() => form.toggleAttribute('data-busy', true), flickerMs);
  const outcome = isAsked(address) ? await loadAnswer(search, own.signal) : await loadStatus(own.signal);
  clearTimeout(slow);
  if (outcome === undefined || asking !== own) return;
  form.toggleAttribute('data-busy', false);
  trouble = 'trouble' in outcome ? outcome.trouble : undefined;
  retryMs = trouble?.passing ? Math.min(maxRetryMs, Math.max(2_000, retryMs * 2)) : 0;
  if (retryMs > 0) retryTimer = setTimeout(() => void load(), retryMs);
  draw();
  // Nothing begins like this: once the reader pauses, the words are corrected.
  if (isUnfinished && isAsked(address) && answer?.total === 0)
    typingTimer = setTimeout(() => {
      isUnfinished = false;
      void load();
    }, settleMs);
}

async function loadAnswer(
  search: SearchParameters,
  signal: AbortSignal,
): Promise<Outcome<SearchAnswer> | undefined> {
  const outcome = await ask((options) => client.search(search, options), signal);
  if (outcome !== undefined && 'answer' in outcome) {
    answer = outcome.answer;
    recent.set(searchPath(search), outcome.answer);
  }
  return outcome;
}

async function loadStatus(signal: AbortSignal): Promise<Outcome<BrokerStatus> | undefined> {
  const outcome = await ask((options) => client.status(options), signal);
  if (outcome !== undefined && 'answer' in outcome) status = outcome.answer;
  return outcome;
}

function typed(): void {
  const query = box.value.slice(0, queryLimit);
  completion.typed();
  if (query === visits.current.query) return;
  isUnfinished = true;
  visits.type({ ...visits.current, query, offset: 0, exact: false });
  clearTimeout(typingTimer);
  typingTimer = setTimeout(() => {
    void load();
    void completion.ask();
  }, typingPauseMs);
}

function go(address: Address): void {
  visits.commit(address);
  isUnfinished = false;
  box.value = address.query;
  completion.typed();
  void load();
}

// An input method shows its letters in the box before the reader has chosen them.
box.addEventListener('input', (event) => {
  if (!(event as InputEvent).isComposing) typed();
});
box.addEventListener('compositionstart', () => completion.hide());
box.addEventListener('compositionend', typed);

form.addEventListener('submit', (event) => {
  event.preventDefault();
  completion.close();
  recentSearches.add(box.value);
  go({ ...visits.current, query: box.value.slice(0, queryLimit) });
  // On a touch screen the keyboard would cover the results.
  if (matchMedia('(pointer: coarse)').matches) box.blur();
});

document.addEventListener('click', (event) => {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest('a[data-go]') : null;
  if (!(link instanceof HTMLAnchorElement)) return;
  event.preventDefault();
  go(readAddress(link.search));
  if (link.dataset.go === 'page') {
    window.scrollTo({ top: 0 });
    focusHeading();
  } else if (link.dataset.go === 'home') box.focus();
});

/** The reader opens a result: the search was worth it. */
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('.result h2 a') : null;
  if (link !== null) recentSearches.add(visits.current.query);
});

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('button[data-recent]') : null;
  if (!(button instanceof HTMLButtonElement)) return;
  if (button.dataset.recent === 'forget') recentSearches.forget();
  else recentSearches.turn(button.dataset.recent === 'on');
  draw();
});

const linkStates: Readonly<Record<LinkState, string>> = {
  alive: 'the link works',
  suspect: 'missing now; it will be checked again in ten minutes',
  gone: 'broken: removed from the results',
  unknown: 'the server cannot be reached now',
};

/** A reader reports a broken link: the Broker checks it, and the result replaces the button. */
async function check(oid: string): Promise<void> {
  checks.set(oid, 'checking the link …');
  draw();
  focusLink(oid);
  const outcome = await ask((options) => client.checkLink(oid, options), new AbortController().signal);
  if (outcome === undefined) return;
  checks.set(oid, 'answer' in outcome ? linkStates[outcome.answer] : outcome.trouble.what);
  draw();
  spoken.textContent = checks.get(oid) ?? '';
}

/** The button was removed, so the focus moves to the title of its result. */
function focusLink(oid: string): void {
  const summary = `.summary[href="objects/${CSS.escape(encodeURIComponent(oid))}"]`;
  content.querySelector(summary)?.closest('.result')?.querySelector('a')?.focus({ preventScroll: true });
}

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('button[data-check]') : null;
  if (button instanceof HTMLButtonElement) void check(button.dataset.check ?? '');
});

/** An empty box with the keyboard in it. */
function clear(): void {
  go(nothingAsked);
  box.focus();
  window.scrollTo({ top: 0 });
}

const clearButton = part('clear');
clearButton.hidden = false;
clearButton.addEventListener('click', clear);

listenToKeys({
  box,
  content,
  clear,
  complete: () => {
    const taken = completion.take();
    if (taken) typed();
    return taken;
  },
  choose: (key) => completion.key(key),
});

window.addEventListener('online', () => void load());

// Ages grow while the page is open; a Broker that is still filling is watched more closely.
setInterval(draw, ageStepMs);
setInterval(() => {
  const growing = isAsked(visits.current)
    ? (answer?.collecting ?? null) !== null
    : status?.objects === 0 || status?.sources.some((source) => source.state === 'connecting');
  if (growing && !document.hidden) void load();
}, growingStepMs);

// A reader may have typed before this script ran; a reload may have put older text back into the box.
if (box.value !== visits.current.query) {
  if (document.activeElement === box) typed();
  else box.value = visits.current.query;
}
if (trouble?.passing) retryTimer = setTimeout(() => void load(), 2_000);
if (/^(Mac|iP)/.test(navigator.platform)) {
  const hint = form.querySelector('kbd');
  if (hint !== null) hint.textContent = '⌘ K';
}
document.documentElement.dataset.ready = 'true';

/** What the keys do to the page. */
interface KeyboardActions {
  readonly box: HTMLInputElement;
  readonly content: HTMLElement;
  clear(): void;
  /** Take the completion shown in the box; false when there is none. */
  complete(): boolean;
  /** Give a key to the list of words under the box; false when it has no use for it. */
  choose(key: string): boolean;
}

/** `/` and Ctrl-K (Cmd-K) to the box, up and down through the results, Esc clears, the right arrow completes. Enter opens by itself. */
function listenToKeys({ box, content, clear, complete, choose }: KeyboardActions): void {
  const results = () =>
    Array.from(content.querySelectorAll('.result'), (result) => result.querySelector('a')).filter(
      (link) => link !== null,
    );

  const step = (by: 1 | -1): boolean => {
    const links = results();
    const active = document.activeElement;
    const within = active?.closest('.result');
    const at = links.findIndex((link) => link === active || link.closest('.result') === within);
    if (at < 0 && (by < 0 || active !== box)) return false;
    const next = links[at + by];
    if (next !== undefined) show(next);
    else if (at + by < 0) box.focus();
    return next !== undefined || at + by < 0;
  };

  const toBox = () => {
    box.focus();
    box.select();
    window.scrollTo({ top: 0 });
  };

  document.addEventListener('keydown', (event) => {
    if (event.isComposing || event.altKey) return;
    const inBox = event.target === box;
    const done = () => event.preventDefault();
    const isCommand = event.ctrlKey || event.metaKey;
    if (isCommand && !event.shiftKey && event.key.toLowerCase() === 'k') {
      done();
      toBox();
    }
    if (isCommand) return;
    if (inBox && !event.shiftKey && choose(event.key)) {
      done();
    } else if (event.key === '/' && !inBox) {
      done();
      toBox();
    } else if (event.key === 'ArrowDown' && !event.shiftKey) {
      if (step(1)) done();
    } else if (event.key === 'ArrowUp' && !event.shiftKey) {
      if (!inBox && step(-1)) done();
    } else if (event.key === 'Escape') {
      done();
      clear();
    } else if (event.key === 'ArrowRight' && inBox && !event.shiftKey) {
      if (complete()) done();
    }
  });
}

function show(link: HTMLElement): void {
  link.focus({ preventScroll: true });
  link.closest('.result')?.scrollIntoView({ block: 'nearest' });
}
