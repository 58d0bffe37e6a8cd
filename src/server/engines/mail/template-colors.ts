interface Colors {
  page: string
  card: string
  line: string
  ink: string
  muted: string
  link: string
  soft: string
  button: string
  onButton: string
}

/** The colors of the page. They are inline in the message, because some programs ignore style sheets. */
export const LIGHT: Colors = {
  page: '#faf8f4',
  card: '#ffffff',
  line: '#e4dfd5',
  ink: '#14202b',
  muted: '#5f6063',
  link: '#8f5f20',
  soft: '#f7eedd',
  button: '#8f5f20',
  onButton: '#ffffff',
}
const DARK: Colors = {
  page: '#111b24',
  card: '#182430',
  line: '#2a3844',
  ink: '#e9edf0',
  muted: '#a7b3bd',
  link: '#e0b46c',
  soft: '#33301f',
  button: '#d9a655',
  onButton: '#14202b',
}

const backgrounds = ({ page, card, soft, button }: Colors) => ({ 'page-color': page, card, soft, button })
const texts = ({ ink, muted, link, onButton }: Colors) => ({ ink, muted, link, 'muted .link': muted, 'a.button': onButton })

const rules = (colors: Record<string, string>, declare: (color: string) => string, within = '') =>
  Object.entries(colors).map(([name, color]) => `${within}${name.includes('a.') ? name : `.${name}`} { ${declare(color)} }`)

const background = (color: string) => `background: ${color} !important`
const text = (color: string) => `color: ${color} !important`
const border = `border-color: ${DARK.line} !important`

/** For programs with a dark scheme, and Outlook on the web, which marks the elements that it has recolored. */
export const darkStyle = `
:root { color-scheme: light dark; supported-color-schemes: light dark }
@media (prefers-color-scheme: dark) {
${[...rules(backgrounds(DARK), background), ...rules(texts(DARK), text), `.card, .quote, .row { ${border} }`].join('\n')}
}
${[...rules(backgrounds(DARK), background, '[data-ogsb] '), ...rules(texts(DARK), text, '[data-ogsc] ')].join('\n')}`
