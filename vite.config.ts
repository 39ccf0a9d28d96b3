import { resolve, sep } from 'node:path';
import { reactRouter } from '@react-router/dev/vite';
import { defineConfig, type Plugin } from 'vite';

const SOURCE = resolve(import.meta.dirname, 'src') + sep;
const WEB = SOURCE + ['web', ''].join(sep);
/** Small values are as good in the browser; one that needs Node fails the build there. */
const VALUES = SOURCE + ['values', ''].join(sep);
const WEB_SERVER = WEB + ['server', ''].join(sep);

/** What runs in the service alone: other rooms, and the server side of this one. Node runs it from the sources. */
const runsInService = (path: string) =>
  path.startsWith(WEB_SERVER) || (path.startsWith(SOURCE) && !path.startsWith(WEB) && !path.startsWith(VALUES));

/**
 * Loaders and actions call the rooms that the service has opened, not copies of them: imports of them stay imports. In the browser's
 * half such an import is a mistake, and ends the build.
 */
function keepRoomsApart(): Plugin {
  return {
    name: 'keep-rooms-apart',
    enforce: 'pre',
    resolveId(source, importer) {
      if (!importer || !source.startsWith('.')) return null;
      const path = resolve(importer, '..', source);
      if (!runsInService(path)) return null;
      if (this.environment.name === 'client') {
        throw new Error(`${importer} is part of the browser's half and imports ${source}, which runs in the service alone`);
      }
      // As the package's own name for it (`imports` in package.json): found from wherever the build lies.
      return { id: `#service/${path.slice(SOURCE.length)}`, external: true };
    },
  };
}

export default defineConfig({
  plugins: [reactRouter(), keepRoomsApart()],
  logLevel: 'warn',
  build: { assetsInlineLimit: 0, target: 'es2022', reportCompressedSize: false },
});
