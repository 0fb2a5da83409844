// The buttons of a summary that copy: hidden until here, because they need a script and a page that may copy.

const spoken = document.getElementById('spoken');

/** The text of a button: its own, or what an address answers. */
async function textOf({ dataset }: HTMLButtonElement): Promise<string> {
  if (dataset.copyFrom === undefined) return dataset.copy ?? '';
  const answer = await fetch(dataset.copyFrom);
  if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
  return answer.text();
}

async function copy(button: HTMLButtonElement): Promise<void> {
  const done = await textOf(button)
    .then((text) => navigator.clipboard.writeText(text))
    .then(
      () => 'Copied',
      () => 'Not copied',
    );
  button.textContent = done;
  if (spoken !== null) spoken.textContent = done;
}

// Over plain HTTP, except on this machine, a browser offers no clipboard.
if (navigator.clipboard !== undefined)
  for (const button of document.querySelectorAll<HTMLButtonElement>('.copy button')) {
    button.hidden = false;
    button.addEventListener('click', () => void copy(button));
  }
document.documentElement.dataset.ready = 'true';
