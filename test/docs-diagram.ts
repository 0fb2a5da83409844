// The picture of who talks to whom, drawn from data, so that it changes with the text beside it.

interface Box {
  readonly id: string;
  readonly title: string;
  readonly note: string;
  /** Place in the grid. */
  readonly column: number;
  readonly row: number;
  readonly kind: 'garner' | 'other';
}

interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly label: string;
}

const boxes: readonly Box[] = [
  { id: 'web', title: 'Web site', note: 'pages, files', column: 0, row: 0, kind: 'other' },
  { id: 'sources', title: 'Mail, git, FTP, ...', note: 'documents', column: 0, row: 1, kind: 'other' },
  { id: 'closed', title: 'Closed site', note: 'behind a firewall', column: 0, row: 2, kind: 'other' },
  { id: 'gatherer', title: 'Gatherer', note: 'port 8500', column: 1, row: 0, kind: 'garner' },
  { id: 'second', title: 'Gatherer', note: 'port 8500', column: 1, row: 1, kind: 'garner' },
  { id: 'pushing', title: 'Gatherer', note: 'connects itself', column: 1, row: 2, kind: 'garner' },
  { id: 'broker', title: 'Broker', note: 'port 8501', column: 2, row: 1, kind: 'garner' },
  {
    id: 'upper',
    title: 'Another Broker',
    note: 'collects all, or a view',
    column: 2,
    row: 2,
    kind: 'garner',
  },
  { id: 'reader', title: 'Readers', note: 'search page', column: 3, row: 0, kind: 'other' },
  { id: 'program', title: 'Programs', note: 'HTTP API, command', column: 3, row: 1, kind: 'other' },
  { id: 'follower', title: 'Followers', note: 'feed, webhook', column: 3, row: 2, kind: 'other' },
  { id: 'server', title: 'Web server', note: 'any', column: 0, row: 3, kind: 'other' },
  { id: 'cache', title: 'Object Cache', note: 'port 3128', column: 1, row: 3, kind: 'garner' },
  { id: 'browser', title: 'Browsers', note: 'and Gatherers', column: 2, row: 3, kind: 'other' },
];

const arrows: readonly Arrow[] = [
  { from: 'web', to: 'gatherer', label: 'read once' },
  { from: 'sources', to: 'second', label: 'read once' },
  { from: 'closed', to: 'pushing', label: 'read once' },
  { from: 'gatherer', to: 'broker', label: 'changes' },
  { from: 'second', to: 'broker', label: 'changes' },
  { from: 'pushing', to: 'broker', label: 'push' },
  { from: 'broker', to: 'upper', label: 'changes' },
  { from: 'broker', to: 'reader', label: 'results' },
  { from: 'broker', to: 'program', label: 'results' },
  { from: 'broker', to: 'follower', label: 'news' },
  { from: 'server', to: 'cache', label: 'misses' },
  { from: 'cache', to: 'browser', label: 'answers' },
];

const [boxWidth, boxHeight, stepX, stepY, margin] = [150, 54, 240, 96, 16];

const left = ({ column }: Box) => margin + column * stepX;
const top = ({ row }: Box) => margin + row * stepY;

function drawnBox(box: Box): string {
  const [x, y] = [left(box), top(box)];
  const fill = box.kind === 'garner' ? '#dbeafe' : '#f3f4f6';
  const middle = x + boxWidth / 2;
  return [
    `<rect x="${x}" y="${y}" width="${boxWidth}" height="${boxHeight}" rx="6" fill="${fill}" stroke="#374151"/>`,
    `<text x="${middle}" y="${y + 23}" font-weight="bold">${box.title}</text>`,
    `<text x="${middle}" y="${y + 42}" font-size="12" fill="#374151">${box.note}</text>`,
  ].join('\n');
}

function drawnArrow({ from, to, label }: Arrow): string {
  const [first, last] = [from, to].map((name) => boxes.find(({ id }) => id === name));
  if (first === undefined || last === undefined) throw new TypeError(`no box ${from} or ${to}`);
  const isDown = first.column === last.column;
  const [x1, y1] = isDown
    ? [left(first) + boxWidth / 2, top(first) + boxHeight]
    : [left(first) + boxWidth, top(first) + boxHeight / 2];
  const [x2, y2] = isDown ? [left(last) + boxWidth / 2, top(last)] : [left(last), top(last) + boxHeight / 2];
  const [x, y] = [(x1 + x2) / 2 + (isDown ? 34 : 0), (y1 + y2) / 2 + (isDown ? 4 : -5)];
  return [
    `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="#374151" marker-end="url(#head)"/>`,
    `<text x="${x}" y="${y}" font-size="12" stroke="#ffffff" stroke-width="4" paint-order="stroke">${label}</text>`,
  ].join('\n');
}

/** docs/pictures/who-talks-to-whom.svg */
export function whoTalksToWhom(): string {
  const width = 2 * margin + 3 * stepX + boxWidth;
  const height = 2 * margin + 3 * stepY + boxHeight;
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" ` +
      'font-family="sans-serif" font-size="14" text-anchor="middle" role="img">',
    '<title>Who talks to whom</title>',
    '<defs><marker id="head" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" ' +
      'orient="auto"><path d="M0 0 8 4 0 8z" fill="#374151"/></marker></defs>',
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...arrows.map(drawnArrow),
    ...boxes.map(drawnBox),
    '</svg>',
  ].join('\n')}\n`;
}
