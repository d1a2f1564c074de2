/**
 * What npm runs after `npm ci` and `npm install` in a checkout: bundles the dependencies that a start takes longest to find. A checkout
 * works without, so an older Node, and an installation without the bundler, are no failure.
 */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major > 24 || (major === 24 && minor >= 10)) {
  try {
    const { bundleDependencies } = await import('./bundle-dependencies.ts');
    await bundleDependencies();
  } catch (error) {
    const lacksBundler = error.code === 'ERR_MODULE_NOT_FOUND' && error.message.includes("'rolldown'");
    if (!lacksBundler) throw error;
  }
}
