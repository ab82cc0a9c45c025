import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The api serves the built files at `/console` from its own directory, so that they are part of its image. */
export default defineConfig({
  base: './',
  plugins: [react()],
  build: {
    outDir: '../services/api/dist/src/console/site',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // One file, loaded with the document: a page whose styles failed once would be shown without them.
    cssCodeSplit: false,
    license: { fileName: 'licences.md' },
  },
});
