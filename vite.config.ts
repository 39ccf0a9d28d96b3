import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
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

/**
 * The map runs on pages without other scripts, too: its script is a file of its own. Both halves know its name, because it has the digest of
 * the sources instead of that of its bytes.
 */
const CITY_MAP = `assets/city-map-${digestOf(WEB)}.js`;

function buildCityMap(): Plugin {
  return {
    name: 'build-city-map',
    buildStart() {
      if (this.environment.name !== 'client') return;
      this.emitFile({ type: 'chunk', id: join(WEB, 'map', 'city-map.ts'), fileName: CITY_MAP });
    },
  };
}

/** A library's own file names a source map that is not served. */
function withoutSourceMaps(): Plugin {
  return {
    name: 'without-source-maps',
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type === 'asset' && file.fileName.endsWith('.js')) file.source = withoutSourceMap(file.source.toString());
      }
    },
  };
}

const withoutSourceMap = (code: string): string => code.replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n');

function digestOf(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = [...files.map((file) => join(file.parentPath, file.name)), resolve('package-lock.json')].sort();
  const digest = createHash('sha256');
  for (const path of paths) digest.update(readFileSync(path));
  return digest.digest('hex').slice(0, 10);
}

export default defineConfig({
  plugins: [reactRouter(), keepRoomsApart(), buildCityMap(), withoutSourceMaps()],
  // Its worker is a file of its own, as the content security policy wants it.
  resolve: { alias: [{ find: /^maplibre-gl$/, replacement: 'maplibre-gl/dist/maplibre-gl-csp.js' }] },
  define: { 'import.meta.env.CITY_MAP_SCRIPT': JSON.stringify(`/${CITY_MAP}`) },
  logLevel: 'warn',
  build: { assetsInlineLimit: 0, target: 'es2022', reportCompressedSize: false },
});
