/** The arguments of Chromium for the journeys and the walk. */
export const CHROMIUM_ARGUMENTS = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  // WebGL maps use software rendering. Compositing pages without it is ten times faster.
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-gpu-compositing',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-dev-shm-usage',
]
