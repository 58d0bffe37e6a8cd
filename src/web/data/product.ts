import { knownSession } from './session.ts'

/** The product's name: a setting of the server, which before sign-in is read from the page itself. */
export function productName(): string {
  return knownSession()?.config.product ?? document.querySelector('meta[name="application-name"]')?.getAttribute('content') ?? ''
}
