import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Route, SitePage } from '../../http/index.ts';
import { type Look, logoRoute, maxLogoBytes, readLogo, type Site } from '../../web/index.ts';
import { badSetting } from '../config/bad-setting.ts';
import type { EffectiveConfig } from '../config/config.ts';
import { refusal } from '../config/input-file.ts';
import { sitePages } from './site-pages.ts';

const maxName = 100;
const maxFooter = 1000;
const maxLinks = 12;

/** What the pages of a server share, with the operator's name, logo and footer. Throws CLI_BAD_SETTING. */
export async function pageSite(
  role: 'broker' | 'registry',
  config: EffectiveConfig,
  name: string,
): Promise<{ readonly site: Site; readonly routes: readonly Route[] }> {
  const look = await lookOf(config);
  return {
    site: { title: boundedText(config, 'page.title', maxName) || name, pages: sitePages(role, config), look },
    routes: look.logo === undefined ? [] : [logoRoute(look.logo)],
  };
}

async function lookOf(config: EffectiveConfig): Promise<Look> {
  const footer = boundedText(config, 'page.footer', maxFooter);
  const links = config.list('page.footer-links').map((entry) => footerLink(config, entry));
  if (links.length > maxLinks)
    throw badSetting(config, 'page.footer-links', `has ${links.length} links`, `list at most ${maxLinks}`);
  const path = config.text('page.logo');
  if (path === '') return { footer, links };
  const bad = (problem: string, cause?: unknown) =>
    badSetting(
      ...([config, 'page.logo', `is ${path}, which ${problem}`] as const),
      `give an SVG, PNG or WebP file of at most ${maxLogoBytes / 1024} KiB that this user can read`,
      cause,
    );
  const bytes = await logoBytes(resolve(config.folder, path)).catch((error: unknown) => {
    throw bad(refusal((error as { readonly code?: unknown }).code), error);
  });
  if (bytes === undefined) throw bad('is not a regular file');
  if (bytes.length > maxLogoBytes) throw bad(`is larger than ${maxLogoBytes / 1024} KiB`);
  const logo = readLogo(bytes);
  if (logo === undefined) throw bad('is no SVG, PNG or WebP picture');
  return { footer, links, logo };
}

function boundedText(config: EffectiveConfig, key: string, limit: number): string {
  const text = config.text(key).trim();
  if (text.length <= limit) return text;
  throw badSetting(config, key, `has ${text.length} characters`, `write at most ${limit}`);
}

/** `NAME ADDRESS` as a link. */
function footerLink(config: EffectiveConfig, entry: string): SitePage {
  const [, name, address = ''] = /^(.{1,80}?)\s+(\S{1,2000})$/s.exec(entry.trim()) ?? [];
  const url = URL.parse(address);
  const isSafe =
    /^(?:https?|mailto):$/.test(url?.protocol ?? '') && url?.username === '' && url.password === '';
  if (name !== undefined && url !== null && isSafe) return { name, href: url.href };
  throw badSetting(
    ...([
      config,
      'page.footer-links',
      `holds ${JSON.stringify(entry.slice(0, 200))}, which is no link`,
    ] as const),
    'write a name, a space and an address of http, https or mailto, such as Imprint https://www.example.org/imprint',
  );
}

/** The first bytes of a file, one more than a logo may have; undefined when it is not a regular file. */
async function logoBytes(path: string): Promise<Buffer | undefined> {
  // A pipe does not block.
  await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const stats = await file.stat();
  if (stats.isDirectory()) throw Object.assign(new Error('is a folder'), { code: 'EISDIR' });
  if (!stats.isFile()) return undefined;
  const buffer = Buffer.alloc(maxLogoBytes + 1);
  const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
  return buffer.subarray(0, bytesRead);
}
