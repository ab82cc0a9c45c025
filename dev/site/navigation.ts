import type { DefaultTheme } from 'vitepress';
import { sitePath } from './site-path.js';

const GROUP = /^## (.+)$/;
const ITEM = /^- \[(.+?)\]\((\S+?)\)/;

/** The sidebar from the index of the documentation: each heading is a group, each item of a list a page. */
export function sidebarOf(index: string): DefaultTheme.SidebarItem[] {
  const groups: { text: string; items: DefaultTheme.SidebarItem[] }[] = [];
  for (const line of index.split('\n')) {
    const [, group] = GROUP.exec(line) ?? [];
    if (group !== undefined) groups.push({ text: group, items: [] });
    const [, text, target] = ITEM.exec(line) ?? [];
    if (text !== undefined && target !== undefined)
      groups.at(-1)?.items.push({ text, link: linkOf(indexed(target)) });
  }
  return groups.filter(({ items }) => items.length > 0);
}

/** The sidebar of the decisions, from the table of their index, newest first. */
export function decisionsSidebar(index: string): DefaultTheme.SidebarItem[] {
  const rows = [...index.matchAll(/^\| \[(\d{4})\]\((\S+)\) \| \S+ \| (.+) \|$/gm)];
  const items = rows.map(([, number, file, title]) => ({
    text: `${number} ${title!.replaceAll('`', '')}`,
    link: linkOf(`docs/decisions/${file}`),
  }));
  return [{ text: 'Decisions', items: [{ text: 'Index', link: '/decisions/' }, ...items.toReversed()] }];
}

/** A target in docs/README.md, from the root of the repository. */
function indexed(target: string): string {
  return target.startsWith('../') ? target.slice(3) : `docs/${target}`;
}

function linkOf(file: string): string {
  return `/${sitePath(file)
    .replace(/(^|\/)index\.md$/, '$1')
    .replace(/\.md$/, '.html')}`;
}
