import { renderMermaidSVG } from 'beautiful-mermaid';

/** The only other host that a drawing names. */
const WEB_FONT = /^\s*@import url\(.*\);\n/m;

/** Colours of the site, so that a drawing follows its light and dark theme. */
const COLOURS = {
  bg: 'var(--vp-c-bg)',
  fg: 'var(--vp-c-text-1)',
  muted: 'var(--vp-c-text-1)',
  line: 'var(--vp-c-text-2)',
  border: 'var(--vp-c-text-3)',
  transparent: true,
};

/** Draws a Mermaid diagram, which repositories show as a picture, as an element of a page of the site. */
export function drawDiagram(source: string): string {
  const svg = renderMermaidSVG(source, COLOURS).replace(WEB_FONT, '').replace("'Inter', ", '');
  // A string for the page's script: templates may contain no styles.
  const text = JSON.stringify(svg).replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return `<div class="diagram" tabindex="0" v-html="${text}"></div>\n`;
}
