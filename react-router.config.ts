import type { Config } from '@react-router/dev/config';

export default {
  appDirectory: 'src/web',
  // Where `src/web/server/serving/build-pages.ts` wants it: beside the finished builds, renamed when it is whole.
  buildDirectory: process.env.MARQUEE_BUILD_FOLDER ?? 'build/by-hand/pages',
  routeDiscovery: { mode: 'lazy', manifestPath: '/_manifest' },
} satisfies Config;
