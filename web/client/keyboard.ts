/** What the keys do to the page. */
export interface KeyboardActions {
  readonly box: HTMLInputElement;
  readonly content: HTMLElement;
  clear(): void;
  /** Take the completion shown in the box; false when there is none. */
  complete(): boolean;
  /** Give a key to the list of words under the box; false when it has no use for it. */
  choose(key: string): boolean;
}

/** `/` to the box, up and down through the results, Esc clears, the right arrow completes. Enter opens by itself. */
export function listenToKeys({ box, content, clear, complete, choose }: KeyboardActions): void {
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

  document.addEventListener('keydown', (event) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const inBox = event.target === box;
    const done = () => event.preventDefault();
    if (inBox && !event.shiftKey && choose(event.key)) {
      done();
    } else if (event.key === '/' && !inBox) {
      done();
      box.focus();
      box.select();
      window.scrollTo({ top: 0 });
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
