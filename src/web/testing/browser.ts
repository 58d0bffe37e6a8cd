import { configure } from '@testing-library/react'

// A busy machine takes longer to draw than the library's one second.
configure({ asyncUtilTimeout: 10_000 })

/** What the product needs of a browser and jsdom lacks. */
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
Object.defineProperty(document, 'fonts', {
  value: { addEventListener: () => undefined, removeEventListener: () => undefined, ready: Promise.resolve() },
  configurable: true,
})
