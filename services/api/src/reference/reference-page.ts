/** Where the page's own script and its viewer are served; relative, so that a path prefix before the service holds. */
export const VIEWER_PATH = '/reference/viewer.js';
export const START_PATH = '/reference/start.js';

/** The page: no script and no address in it but our own. */
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
 * Everything in the viewer that would ask another host is off: fonts, telemetry, request proxy, assistants, sharing and
 * its own clients. A token that a person puts in stays in the page's memory.
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
