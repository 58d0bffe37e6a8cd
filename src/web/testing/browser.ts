import { configure } from '@testing-library/react'

// On a busy machine rendering takes longer than the default of one second.
configure({ asyncUtilTimeout: 30_000 })

/** Browser functions that jsdom lacks. */
const noMatch = (query: string) => ({
  matches: false,
  media: query,
  onchange: null,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
  addListener: () => undefined,
  removeListener: () => undefined,
  dispatchEvent: () => false,
})

class NoResize {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

window.matchMedia = (query) => ({ ...noMatch(query), matches: /min-width/.test(query) })
window.ResizeObserver = NoResize
window.scrollTo = () => undefined
Element.prototype.scrollIntoView = () => undefined
document.elementsFromPoint = () => []
Object.defineProperty(document, 'fonts', {
  value: { addEventListener: () => undefined, removeEventListener: () => undefined, ready: Promise.resolve() },
  configurable: true,
})
