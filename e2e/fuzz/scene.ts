import type { As, TestApp } from '#server/testing/app.ts'
import type { TestProvider } from '#server/testing/oidc-provider.fixture.ts'
import { pick } from './random-values.ts'

export interface Scene {
  app: TestApp
  /** Where the server listens, for bytes that are streamed. */
  origin: string
  /** A sign-in service that companies can use. */
  idp: TestProvider
  as: As
  account: string
  companyId: string
  random: () => number
  /** What the person can see, by an address and the name of a value. */
  some: (path: string, key?: string) => Promise<string>
}

/** What is sent; without it, random values are. */
export interface Fitting {
  /** In place of the person, for calls that need a session of another kind. */
  as?: As
  /** The whole address, for signed links. */
  path?: string
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, unknown>>
  body?: Readonly<Record<string, unknown>>
}

export type Recipes = Readonly<Record<string, (scene: Scene) => Promise<Fitting>>>

/** There is nothing that this call could be about, such as a trashed record to restore. */
export class NothingFits extends Error {}

const API = '/api/v1'

export const someOf =
  (as: As, random: () => number) =>
  async (path: string, key = 'id') => {
    const { status, body } = await as.get(`${API}/${path}`)
    const values: unknown[] = status === 200 ? body.data.map((item: Record<string, unknown>) => item[key]) : []
    const value = pick(random, values)
    if (typeof value !== 'string') throw new NothingFits(path)
    return value
  }

export async function dataOf(as: As, path: string) {
  const { status, body } = await as.get(`${API}/${path}`)
  if (status !== 200) throw new NothingFits(path)
  return body.data
}
