import type { Application } from '../../registry/index.ts';
import { terminalSafe } from '../text/output.ts';

/** The held applications: a line each, and below it what else was said. */
export function applicationLines(applications: readonly Application[], now: number): string {
  if (applications.length === 0) return 'no application is held';
  return applications
    .map(({ id, type, name, url, at, client, description, administrator, location, topics }) => {
      const days = Math.max(0, Math.floor((now - at) / 86_400));
      const head = `  ${id}  ${type.toLowerCase()} ${name}  ${url}  ${days} days ago from ${client}`;
      const more = [description, administrator, location, topics].filter((text) => text !== '');
      return [head, ...(more.length === 0 ? [] : [`    ${more.join('; ')}`])].map(terminalSafe).join('\n');
    })
    .join('\n');
}
