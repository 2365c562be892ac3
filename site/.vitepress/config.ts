import { defineConfig } from 'vitepress';
import { sidebar } from '../sidebar.ts';

// biome-ignore lint/style/noDefaultExport: VitePress reads it.
export default defineConfig({
  title: 'Swapfold',
  description: 'Profiles, prices, candles and portfolios from swaps of decentralised exchanges.',
  base: '/docs/',
  srcDir: 'pages',
  outDir: 'dist',
  // Examples name servers of this machine. Pages of the reference name types that other pages of it have under another path.
  ignoreDeadLinks: [/^http:..localhost/, /reference\/api\//],
  // Pictures lie within the pages, so that the site is made of texts alone, which `swapfold serve --docs` answers with.
  vite: { build: { assetsInlineLimit: 4_000_000, chunkSizeWarningLimit: 4000 } },
  themeConfig: {
    search: {
      provider: 'local',
      options: {
        // A word of a signature is on most of its pages: a search for "backup" finds the guide first.
        _render: (text, env, markdown) =>
          env.relativePath.startsWith('reference/api/') ? '' : markdown.render(text, env),
      },
    },
    sidebar: [
      ...sidebar().map(({ text, items }) => ({ text, items: [...items] })),
      { text: 'Signatures', items: [{ text: 'All packages', link: '/reference/api/' }] },
    ],
    outline: [2, 3],
  },
});
