/** The style sheet of the annotation form. */
export const annotateStyle = `:root {
  color-scheme: light dark;
  --paper: #fcfcfb;
  --ink: #1d2123;
  --quiet: #5c6569;
  --edge: #6f7875;
  --accent: #0b6b5c;
  --alert: #a3231f;
}

@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15181a;
    --ink: #e3e6e4;
    --quiet: #98a2a4;
    --edge: #7c8688;
    --accent: #79cfba;
    --alert: #ff9d94;
  }
}

* {
  box-sizing: border-box;
}

body {
  max-width: 44rem;
  margin: 0 auto;
  padding: 2rem 1.5rem;
  background: var(--paper);
  color: var(--ink);
  font: 100% / 1.5 system-ui, sans-serif;
}

h1,
h2 {
  margin: 2rem 0 0.5rem;
  font-size: 1.125rem;
}

h1 {
  margin-top: 0;
  font-size: 1.375rem;
}

a {
  color: var(--accent);
}

.site-pages ul {
  display: flex;
  flex-wrap: wrap;
  gap: 0 1.25rem;
  margin: 0 0 1.5rem;
  padding: 0;
  list-style: none;
  font-size: 0.875rem;
}

.site-pages a {
  display: block;
  padding: 0.5rem 0;
  border-bottom: 2px solid transparent;
  color: var(--quiet);
  text-decoration: none;
}

.site-pages a[aria-current] {
  border-color: var(--accent);
  color: var(--ink);
  font-weight: 600;
}

.url,
dd {
  overflow-wrap: anywhere;
}

label {
  display: block;
  margin-top: 1rem;
  font-weight: 600;
}

.hint {
  margin: 0;
  color: var(--quiet);
  font-size: 0.875rem;
}

input,
textarea,
button {
  border: 1px solid var(--edge);
  border-radius: 4px;
  padding: 0.375rem 0.5rem;
  background: transparent;
  color: inherit;
  font: inherit;
}

input,
textarea {
  display: block;
  width: 100%;
}

textarea {
  resize: vertical;
}

button {
  margin: 1.5rem 0.5rem 0 0;
  padding: 0.375rem 1rem;
  cursor: pointer;
}

button.main {
  border-color: var(--accent);
  background: var(--accent);
  color: var(--paper);
}

:focus-visible {
  outline: 2px solid var(--accent);
  outline-offset: 2px;
}

[role='status'],
[role='alert'] {
  border-left: 4px solid var(--accent);
  padding: 0.25rem 0.75rem;
}

[role='alert'] {
  border-color: var(--alert);
}

dt {
  margin-top: 0.5rem;
  color: var(--quiet);
  font-size: 0.875rem;
}

dd {
  margin: 0;
  white-space: pre-line;
}
`;
