import type { DefaultTheme, UserConfig } from 'vitepress';
import { anchorOf } from './anchor.js';
import { drawDiagram } from './diagram.js';
import { decisionsSidebar, sidebarOf } from './navigation.js';
import { readSource } from './site-files.js';
import type { SiteKind } from './site-places.js';

/** Passes the kind to the configuration, which VitePress loads separately. */
export const KIND_VARIABLE = 'DOCS_KIND';

/**
 * The configuration of VitePress. The site to be checked has the same pages and links, but no colours of code, search index
 * and minified scripts, which take a third of the time.
 */
export function siteConfig(kind: SiteKind): UserConfig<DefaultTheme.Config> {
  const checkOnly = kind === 'check';
  return {
    title: 'Postrider',
    description: 'Outbound webhooks that lose nothing',
    lang: 'en',
    // No icon: browsers request one if none is named.
    head: [['link', { rel: 'icon', href: 'data:,' }]],
    metaChunk: true,
    vite: { build: { minify: !checkOnly, chunkSizeWarningLimit: LARGEST_CHUNK_KB } },
    markdown: {
      // Treats apparent elements in the text, such as a <slug>, as text.
      html: false,
      anchor: { slugify: anchorOf },
      config: (markdown) => {
        const { fence } = markdown.renderer.rules;
        markdown.renderer.rules.fence = (...parts) => {
          const token = parts[0][parts[1]];
          return token?.info === 'mermaid' ? drawDiagram(token.content) : (fence?.(...parts) ?? '');
        };
      },
      ...(checkOnly ? { highlight: plainCode } : {}),
    },
    themeConfig: {
      ...(checkOnly ? {} : { search: { provider: 'local' as const } }),
      outline: [2, 3],
      nav: [
        { text: 'First steps', link: '/first-steps' },
        { text: 'Comparison', link: '/comparison' },
        { text: 'Decisions', link: '/decisions/' },
        { text: 'Changelog', link: '/project/changelog' },
      ],
      sidebar: {
        '/': sidebarOf(readSource('docs/README.md')),
        '/decisions/': decisionsSidebar(readSource('docs/decisions/README.md')),
      },
    },
  };
}

/** The search index is loaded at the first search, in one piece. */
const LARGEST_CHUNK_KB = 2_000;

function plainCode(code: string): string {
  return `<pre v-pre><code>${code.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</code></pre>`;
}
