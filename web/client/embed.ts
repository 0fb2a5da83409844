// One script of its own, without imports: another site includes it by one script tag (docs/how-to/search-box.md).
(() => {
  interface Hit {
    readonly url: string;
    readonly title: string;
    readonly titleMatches: readonly (readonly [number, number])[];
    readonly snippet: string;
    readonly matches: readonly (readonly [number, number])[];
  }

  const script = document.currentScript;
  if (!(script instanceof HTMLScriptElement)) return;
  const { target, limit, placeholder, label = 'Search', token, source, type, filter } = script.dataset;
  const broker = new URL('./', script.src);
  /** Milliseconds without a key after which a search begins. */
  const pause = 150;
  const maxQuery = 500;

  const style = `
    :host { display: block; position: relative; max-width: 40rem; font: 16px/1.4 system-ui, sans-serif; text-align: start }
    * { box-sizing: border-box }
    input { width: 100%; padding: .5em .75em; border: 1px solid #767676; border-radius: .4em; font: inherit;
      color: #1b1b1b; background: #fff }
    input::placeholder { color: #595959; opacity: 1 }
    :focus-visible { outline: 2px solid #0b57d0; outline-offset: 1px }
    #panel { position: absolute; z-index: 1000; inset-inline: 0; top: 100%; margin-top: .25em; max-height: 70vh;
      overflow: auto; border: 1px solid #8a8a8a; border-radius: .4em; background: #fff; color: #1b1b1b;
      box-shadow: 0 4px 16px #0003 }
    #panel[hidden] { display: none }
    ol { list-style: none; margin: 0; padding: 0 }
    a, .dead { display: block; padding: .5em .75em; color: inherit; text-decoration: none; overflow-wrap: anywhere }
    a:hover, a:focus { background: #eef3fb }
    b { display: block; color: #0b47a1 }
    small { display: block; color: #3c5a14 }
    mark { background: none; color: inherit; font-weight: 700; text-decoration: underline }
    p { margin: 0; padding: .5em .75em }
    .unseen { position: absolute; width: 1px; height: 1px; padding: 0; overflow: hidden; clip-path: inset(50%) }
    @media (prefers-color-scheme: dark) {
      input, #panel { background: #1d1f22; color: #eee; border-color: #8a8a8a }
      input::placeholder { color: #b5b5b5 }
      a:hover, a:focus { background: #2c3440 }
      b { color: #a8c7fa } small { color: #b5d48a }
      :focus-visible { outline-color: #a8c7fa }
    }`;

  const host = document.createElement('div');
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  root.adoptedStyleSheets = [sheet];

  const make = <Name extends keyof HTMLElementTagNameMap>(
    name: Name,
    attributes: Readonly<Record<string, string>>,
    ...children: readonly (Node | string)[]
  ): HTMLElementTagNameMap[Name] => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  };

  const input = make('input', {
    ...{ type: 'search', name: 'q', 'aria-label': label, placeholder: placeholder ?? label },
    ...{ autocomplete: 'off', spellcheck: 'false', maxlength: String(maxQuery), dir: 'auto' },
    ...{ enterkeyhint: 'search', 'aria-controls': 'panel' },
  });
  const panel = make('div', { id: 'panel', role: 'region', 'aria-label': `${label}: results`, hidden: '' });
  const spoken = make('p', { class: 'unseen', role: 'status' });
  const form = make('form', { role: 'search', 'aria-label': label }, input);
  root.append(form, panel, spoken);

  /** A text whose matches are marked; text stays text. */
  const marked = (text: string, matches: Hit['matches']): (Node | string)[] => {
    const parts: (Node | string)[] = [];
    let at = 0;
    for (const [start, end] of matches) {
      if (start < at || end > text.length) continue;
      parts.push(text.slice(at, start), make('mark', {}, text.slice(start, end)));
      at = end;
    }
    return [...parts, text.slice(at)];
  };

  const hitView = ({ url, title, titleMatches, snippet, matches }: Hit): HTMLElement => {
    const address = URL.parse(url);
    const parts = [
      make('b', { dir: 'auto' }, ...marked(title, titleMatches)),
      make('small', {}, address === null ? url : `${address.host}${address.pathname}`),
      make('span', { dir: 'auto' }, ...marked(snippet, matches)),
    ];
    // An address that a click would run as a script is shown, and leads nowhere.
    const isWeb = address !== null && /^(?:https?|ftp):$/.test(address.protocol);
    return make(
      'li',
      {},
      isWeb ? make('a', { href: address.href }, ...parts) : make('div', { class: 'dead' }, ...parts),
    );
  };

  const show = (open: boolean) => {
    panel.hidden = !open;
  };
  const say = (text: string) => {
    panel.replaceChildren(make('p', {}, text));
    spoken.textContent = text;
    show(true);
  };

  let running = new AbortController();
  let timer = 0;
  const search = async (typing: boolean) => {
    clearTimeout(timer);
    running.abort();
    running = new AbortController();
    const { signal } = running;
    const query = input.value.trim();
    if (query === '') return show(false);
    const asked = new URLSearchParams({
      ...{ q: query, limit: limit ?? '6', fold: '1', fields: 'url,title,titleMatches,snippet,matches' },
      ...(typing && { typing: '1' }),
    });
    const page = new URLSearchParams({ q: query });
    for (const [name, value] of Object.entries({ source, type, filter }))
      if (value) for (const list of [asked, page]) list.append(name, value);
    try {
      const response = await fetch(new URL(`search?${asked}`, broker), {
        ...{ signal, credentials: 'omit', referrerPolicy: 'no-referrer' },
        ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
      });
      if (!response.ok) throw new Error(String(response.status));
      const { hits, total } = (await response.json()) as {
        readonly hits: readonly Hit[];
        readonly total: number;
      };
      if (signal.aborted) return;
      if (hits.length === 0) return say('Nothing was found.');
      const all = make(
        'a',
        { href: new URL(`./?${page}`, broker).href },
        total === 1 ? 'All about the result' : `All ${total} results`,
      );
      panel.replaceChildren(make('ol', {}, ...hits.map(hitView)), all);
      spoken.textContent = total === 1 ? '1 result' : `${total} results`;
      show(true);
    } catch {
      if (!signal.aborted) say('The search does not answer now. Try again later.');
    }
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void search(false);
  });
  input.addEventListener('input', (event) => {
    clearTimeout(timer);
    // An input method is still composing the word.
    if (!(event instanceof InputEvent && event.isComposing)) timer = setTimeout(search, pause, true);
  });
  input.addEventListener('compositionend', () => {
    clearTimeout(timer);
    timer = setTimeout(search, pause, true);
  });
  root.addEventListener('keydown', (event) => {
    if (!(event instanceof KeyboardEvent) || event.isComposing) return;
    if (event.key === 'Escape') {
      show(false);
      input.focus();
      return;
    }
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0 || panel.hidden) return;
    const stops: HTMLElement[] = [input, ...panel.querySelectorAll('a')];
    const at = stops.indexOf(root.activeElement as HTMLElement);
    stops[(at + step + stops.length) % stops.length]?.focus();
    event.preventDefault();
  });
  host.addEventListener('focusout', (event) => {
    if (event.relatedTarget === null || !host.contains(event.relatedTarget as Node)) show(false);
  });

  const place = target === undefined ? null : document.querySelector(target);
  if (place === null) script.after(host);
  else place.append(host);
})();
