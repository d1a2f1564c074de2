import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const uiRoot = dirname(fileURLToPath(import.meta.url));

const reactChunk = {
  name: 'react',
  test: /node_modules\/(react|react-dom|scheduler|@tanstack\/(query-core|react-query))\//,
};
const initial = ['$initial' as const];
/** What both pages use from the start, in one file: many small ones are larger compressed. */
const kitChunk = {
  name: 'kit',
  test: /src\/ui\/(api|kit(?!\/numbers)|texts\/(answers|en\/widgets\/widgets|load-words|words-context))(\/|\.ts)|vite\/preload-helper/,
  tags: initial,
};
/** What draws dashboards. The charting library and the inputs are fetched by themselves, so they are not initial. */
const widgetsChunk = { name: 'widgets', test: /src\/ui\/(charts|dashboard|widgets)\//, tags: initial };

/** Builds the web pages into `dist/ui`: one HTML file per page, hashed files under `assets/`. */
export default defineConfig({
  root: uiRoot,
  base: '/',
  plugins: [react()],
  build: {
    outDir: join(uiRoot, '../../dist/ui'),
    emptyOutDir: true,
    // The style sheets use `light-dark()`, container queries and nesting as browsers have them since spring 2024.
    target: ['chrome123', 'edge123', 'firefox121', 'safari17.5'],
    // No data: URLs for scripts or styles, and no inline polyfill: the page's policy allows neither.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The charting library is one file, fetched only by pages with charts.
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      input: { share: join(uiRoot, 'share.html'), app: join(uiRoot, 'app.html') },
      // What both pages begin with, in few files instead of one for each module that they share.
      output: { codeSplitting: { groups: [reactChunk, kitChunk, widgetsChunk] } },
    },
  },
});
