import { createTheme, defaultVariantColorsResolver, type MantineColorsTuple, type VariantColorsResolver } from '@mantine/core'

const ink: MantineColorsTuple = [
  '#eef2f5',
  '#dae1e7',
  '#b6c2cc',
  '#8fa0ae',
  '#6d8192',
  '#566a7b',
  '#40535f',
  '#2b3c49',
  '#1d2c38',
  '#14202b',
]
const brass: MantineColorsTuple = [
  '#fbf5ea',
  '#f4e7cd',
  '#e9d0a0',
  '#dfba74',
  '#d9a655',
  '#c48b3a',
  '#a8722a',
  '#8f5f20',
  '#754d19',
  '#573912',
]
const brick: MantineColorsTuple = [
  '#fcefec',
  '#f7dbd5',
  '#eeb5aa',
  '#e58d7d',
  '#dd6c58',
  '#cb4f3a',
  '#b23f2c',
  '#9b3324',
  '#7e291d',
  '#5e1e15',
]
const amber: MantineColorsTuple = [
  '#fdf4e0',
  '#fae6b9',
  '#f4cd79',
  '#ecb443',
  '#dd9c1f',
  '#bd8110',
  '#96650a',
  '#7d5408',
  '#634206',
  '#473004',
]
const slate: MantineColorsTuple = [
  '#eff3f7',
  '#dde6ee',
  '#bccddb',
  '#97b1c6',
  '#7899b3',
  '#5f84a1',
  '#4c708c',
  '#3f5e77',
  '#334c61',
  '#25384a',
]
const moss: MantineColorsTuple = [
  '#eff5ec',
  '#ddead7',
  '#b9d3ae',
  '#93ba83',
  '#73a460',
  '#5a8d47',
  '#4a7739',
  '#3e652f',
  '#325126',
  '#243c1b',
]
/** Greys a little warm, so that hairlines and secondary text belong to the paper. */
const gray: MantineColorsTuple = [
  '#faf8f4',
  '#f4f1eb',
  '#e9e5dd',
  '#dcd7cd',
  '#cbc5b9',
  '#7b766d',
  '#66635d',
  '#4c4d4d',
  '#2f363c',
  '#14202b',
]
const dark: MantineColorsTuple = [
  '#e9edf0',
  '#cdd5db',
  '#aab6c0',
  '#94a2ae',
  '#35444f',
  '#2b3944',
  '#202d38',
  '#182430',
  '#111b24',
  '#0c141b',
]

/** White on the deep shades of the light scheme, ink on the bright ones of the dark: the library's own choice knows no scheme. */
const variantColorResolver: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input)
  return input.variant === 'filled' ? { ...colors, color: 'var(--on-filled)' } : colors
}

const closeNamed = { closeButtonProps: { 'aria-label': 'Close' } }

/**
 * Ink, paper and brass (design: identity). Close buttons have no name of their own in the library, so they get one here;
 * the placeholder that takes the focus of an opened menu is no child that a menu may have, so the first item takes it.
 */
export const theme = createTheme({
  colors: { ink, brass, brick, amber, slate, moss, gray, dark },
  primaryColor: 'brass',
  primaryShade: { light: 7, dark: 4 },
  variantColorResolver,
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
    Modal: {
      defaultProps: { ...closeNamed, centered: true, transitionProps: { duration: 140 }, overlayProps: { backgroundOpacity: 0.4 } },
    },
    Drawer: {
      defaultProps: { ...closeNamed, position: 'right', transitionProps: { duration: 160 }, overlayProps: { backgroundOpacity: 0.35 } },
    },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } } },
    Alert: { defaultProps: { closeButtonLabel: 'Dismiss' } },
    CloseButton: { defaultProps: { 'aria-label': 'Close' } },
    Tooltip: { defaultProps: { openDelay: 250, transitionProps: { duration: 100 }, withArrow: true } },
    Menu: { defaultProps: { shadow: 'float', transitionProps: { duration: 100 }, withinPortal: true, withInitialFocusPlaceholder: false } },
    Popover: { defaultProps: { shadow: 'float', transitionProps: { duration: 100 } } },
    Button: { defaultProps: { size: 'sm', variant: 'filled' } },
    TextInput: { defaultProps: { size: 'md' } },
    PasswordInput: { defaultProps: { size: 'md' } },
    Select: { defaultProps: { size: 'md', checkIconPosition: 'right' } },
    Checkbox: { defaultProps: { size: 'sm' } },
  },
  shadows: { float: 'var(--shadow-float)', md: 'var(--shadow-float)', xl: 'var(--shadow-float)' },
})
