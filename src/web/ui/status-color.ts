const SURFACE_DARK = '#1e2b37'
const CONTRAST_MIN = 3
const STEP = 0.05

const channels = (hex: string): number[] => [1, 3, 5].map((start) => Number.parseInt(hex.slice(start, start + 2), 16))
const linear = (channel: number) => (channel <= 10 ? channel / 255 / 12.92 : ((channel / 255 + 0.055) / 1.055) ** 2.4)

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = channels(hex).map(linear)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Of two colors such as #6A1B9A, from 1 to 21 (WCAG 2). */
export function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((left, right) => left - right)
  return (high + 0.05) / (low + 0.05)
}

const lighten = (hex: string, share: number): string =>
  `#${channels(hex)
    .map((channel) =>
      Math.round(channel + (255 - channel) * share)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`

/** The color, lightened until it can be seen on the dark surface, also of a row under the pointer. */
export function colorOnDark(hex: string): string {
  let shown = hex
  for (let share = STEP; share < 1 && contrast(shown, SURFACE_DARK) < CONTRAST_MIN; share += STEP) shown = lighten(hex, share)
  return shown
}

/** The color of a status, which comes from the data, for the light and the dark scheme; CSS variables are returned as they are. */
export const statusColor = (color: string): string => (/^#[\da-f]{6}$/i.test(color) ? `light-dark(${color}, ${colorOnDark(color)})` : color)
