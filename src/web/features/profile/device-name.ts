/** The first that matches counts: browsers also name those that they are compatible with. */
const BROWSERS: readonly [name: string, pattern: RegExp][] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
]
const SYSTEMS: readonly [name: string, pattern: RegExp][] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b|\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
]

const nameIn = (known: typeof BROWSERS, client: string) => known.find(([, pattern]) => pattern.test(client))?.[0]

/** "Firefox on Linux", from what a browser calls itself in the User-Agent header. */
export function deviceName(client: string): string {
  const [browser, system] = [nameIn(BROWSERS, client), nameIn(SYSTEMS, client)]
  if (browser === undefined && system === undefined) return client === '' ? 'Unknown device' : client.slice(0, 60)
  return system === undefined ? (browser ?? '') : `${browser ?? 'A browser'} on ${system}`
}
