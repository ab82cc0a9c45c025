/** The paths of the page's scripts. The page refers to them relatively, so that it works behind a path prefix. */
export const VIEWER_PATH = '/reference/viewer.js';
export const START_PATH = '/reference/start.js';

/** The page loads nothing from other hosts. */
export const REFERENCE_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Postrider API reference</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="reference"></div>
    <noscript>This page needs JavaScript. The document itself is at <a href="openapi.json">openapi.json</a>.</noscript>
    <script src="${VIEWER_PATH.slice(1)}"></script>
    <script src="${START_PATH.slice(1)}"></script>
  </body>
</html>
`;

/**
 * Disables every feature of the viewer that contacts other hosts: fonts, telemetry, request proxy, assistants, sharing
 * and clients. A token that is entered stays in the page's memory.
 */
const SETTINGS = {
  url: 'openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: '',
  persistAuth: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  authentication: { preferredSecurityScheme: 'bearer' },
};

export const START_SCRIPT = `Scalar.createApiReference('#reference', ${JSON.stringify(SETTINGS)});\n`;
