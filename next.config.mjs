/** @type {import('next').NextConfig} */
const nextConfig = {
  poweredByHeader: false,
  // gzip would hold back server-sent events until its window is full; what is worth it, scripts and styles, is compressed
  // by app/server/static-files.ts.
  compress: false,
  // `npm test` type-checks the whole tree with one tsc run; doing it again here only makes the first start slower.
  typescript: { ignoreBuildErrors: true },
  // Parent folders may carry lock files of their own: this one is the root.
  turbopack: { root: import.meta.dirname },
  devIndicators: false,
  agentRules: false,
};

export default nextConfig;
