// Copied beside the pages, and imports at run time: a bundled copy would take other places for its own.
const { KIND_VARIABLE, siteConfig } = await import(
  new URL('../../../../dev/dist/site/config.js', import.meta.url)
);
export default siteConfig(process.env[KIND_VARIABLE]);
