import { createTheme, defaultVariantColorsResolver, type CSSVariablesResolver } from '@mantine/core'
import { HOVER_CLOSE_MS } from '#contract/limits.ts'

/**
 * Mantine's close buttons have no accessible name, so they get one here. Its focus placeholder is not a valid child of a menu, so the first
 * item takes the focus instead.
 */
export const theme = createTheme({
  /** From light to dark. The grays are slightly warm, to match the paper background. */
  colors: {
    ink: ['#eef2f5', '#dae1e7', '#b6c2cc', '#8fa0ae', '#6d8192', '#566a7b', '#40535f', '#2b3c49', '#1d2c38', '#14202b'],
    brass: ['#fbf5ea', '#f4e7cd', '#e9d0a0', '#dfba74', '#d9a655', '#c48b3a', '#a8722a', '#8f5f20', '#754d19', '#573912'],
    brick: ['#fcefec', '#f7dbd5', '#eeb5aa', '#e58d7d', '#dd6c58', '#cb4f3a', '#b23f2c', '#9b3324', '#7e291d', '#5e1e15'],
    amber: ['#fdf4e0', '#fae6b9', '#f4cd79', '#ecb443', '#dd9c1f', '#bd8110', '#96650a', '#7d5408', '#634206', '#473004'],
    slate: ['#eff3f7', '#dde6ee', '#bccddb', '#97b1c6', '#7899b3', '#5f84a1', '#4c708c', '#3f5e77', '#334c61', '#25384a'],
    moss: ['#eff5ec', '#ddead7', '#b9d3ae', '#93ba83', '#73a460', '#5a8d47', '#4a7739', '#3e652f', '#325126', '#243c1b'],
    gray: ['#faf8f4', '#f4f1eb', '#e9e5dd', '#dcd7cd', '#cbc5b9', '#7b766d', '#66635d', '#4c4d4d', '#2f363c', '#14202b'],
    dark: ['#e9edf0', '#cdd5db', '#aab6c0', '#94a2ae', '#35444f', '#2b3944', '#202d38', '#182430', '#111b24', '#0c141b'],
  },
  primaryColor: 'brass',
  primaryShade: { light: 7, dark: 4 },
  /** White text on the dark shades of the light scheme, ink on the bright shades of the dark one: Mantine ignores the scheme. */
  variantColorResolver: (input) => {
    const colors = defaultVariantColorsResolver(input)
    return input.variant === 'filled' ? { ...colors, color: 'var(--on-filled)' } : colors
  },
  black: '#14202b',
  fontFamily: "'Inter Variable', system-ui, -apple-system, 'Segoe UI', sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SFMono-Regular', Menlo, Consolas, monospace",
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '15px', xl: '18px' },
  lineHeights: { xs: '16px', sm: '18px', md: '20px', lg: '22px', xl: '26px' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '20px', lineHeight: '28px' },
      h2: { fontSize: '17px', lineHeight: '24px' },
      h3: { fontSize: '15px', lineHeight: '22px' },
      h4: { fontSize: '14px', lineHeight: '20px' },
    },
  },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  radius: { xs: '3px', sm: '4px', md: '6px', lg: '8px', xl: '12px' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Modal: { defaultProps: { centered: true, transitionProps: { duration: 140 }, overlayProps: { backgroundOpacity: 0.4 } } },
    Drawer: { defaultProps: { position: 'right', transitionProps: { duration: 160 }, overlayProps: { backgroundOpacity: 0.35 } } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } } },
    CloseButton: { defaultProps: { 'aria-label': 'Close' } },
    Tooltip: { defaultProps: { openDelay: 250, closeDelay: HOVER_CLOSE_MS, transitionProps: { duration: 100 }, withArrow: true } },
    Menu: { defaultProps: { shadow: 'float', transitionProps: { duration: 100 }, withInitialFocusPlaceholder: false } },
    Popover: { defaultProps: { shadow: 'float', transitionProps: { duration: 100 } } },
    TextInput: { defaultProps: { size: 'md' } },
    PasswordInput: { defaultProps: { size: 'md' } },
    Select: { defaultProps: { size: 'md', checkIconPosition: 'right' } },
    // Above the dialogs, which are above panels.
    Combobox: { defaultProps: { zIndex: 600 } },
  },
  shadows: { float: 'var(--shadow-float)', md: 'var(--shadow-float)', xl: 'var(--shadow-float)' },
})

const SIZES = { '--row-height': '40px', '--heading-height': '56px', '--sidebar-open': '232px', '--sidebar-closed': '64px' }

/** In the light and in the dark scheme. */
const COLORS: Readonly<Record<string, readonly [light: string, dark: string]>> = {
  '--chart-1': ['#24507b', '#5f97cc'],
  '--chart-2': ['#5c94c2', '#a9cdea'],
  '--chart-3': ['#1f6b66', '#4fa79f'],
  '--chart-4': ['#5b9f7b', '#a9d8bb'],
  '--chart-5': ['#66426f', '#a77fb3'],
  '--chart-6': ['#aa80af', '#d9bddc'],
  '--chart-7': ['#3a4650', '#8294a3'],
  '--chart-8': ['#8f897d', '#6d7d89'],
  '--on-filled': ['#ffffff', '#14202b'],
  '--page': ['#faf8f4', '#111b24'],
  '--surface': ['#ffffff', '#182430'],
  '--surface-sunken': ['#f4f1eb', '#131e28'],
  '--surface-hover': ['#f7f4ee', '#1e2b37'],
  '--line': ['#e4dfd5', '#2a3844'],
  '--line-strong': ['#cbc5b9', '#405060'],
  '--field-line': ['#918b80', '#6f808f'],
  '--ink': ['#14202b', '#e9edf0'],
  '--muted': ['#5f6063', '#a7b3bd'],
  '--brass': ['#8f5f20', '#e0b46c'],
  '--brass-line': ['#a8722a', '#c9964a'],
  '--brass-soft': ['#f7eedd', '#33301f'],
  '--critical': ['#a3331f', '#f09a88'],
  '--critical-soft': ['#fbece8', '#3a2422'],
  '--warning': ['#7d5408', '#e9bd5e'],
  '--warning-soft': ['#fcf2da', '#35301f'],
  '--info': ['#3f5e77', '#a6bfd2'],
  '--info-soft': ['#edf2f6', '#20313f'],
  '--good': ['#3e652f', '#a2c892'],
  '--good-soft': ['#edf4e9', '#22332a'],
  '--shadow-float': [
    '0 1px 2px rgb(20 32 43 / 6%), 0 8px 28px rgb(20 32 43 / 14%)',
    '0 1px 2px rgb(0 0 0 / 30%), 0 10px 32px rgb(0 0 0 / 45%)',
  ],
  '--mantine-color-placeholder': ['#75716a', '#94a2ae'],
}

const MANTINE = {
  '--mantine-color-body': 'var(--surface)',
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-dimmed': 'var(--muted)',
  '--mantine-color-default-border': 'var(--line-strong)',
  '--mantine-color-error': 'var(--critical)',
  '--mantine-color-anchor': 'var(--brass)',
}

const inScheme = (scheme: 0 | 1) => Object.fromEntries(Object.entries(COLORS).map(([name, values]) => [name, values[scheme]]))

/** CSS modules use these variables instead of colors. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: SIZES,
  light: { ...inScheme(0), ...MANTINE },
  dark: { ...inScheme(1), ...MANTINE },
})
